import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addAdminRoutes } from "../../src/http/admin/admin-routes.js";
import { addSessionRoutes } from "../../src/http/console/session-routes.js";
import { createSessions } from "../../src/http/console/sessions.js";
import { addResource } from "../../src/http/add-resource.js";
import { addHealthRoutes } from "../../src/http/health-routes.js";
import { LOOKUP_PATHS } from "../../src/http/lookup-path.js";
import { addMetricsRoute } from "../../src/http/metrics-route.js";
import { addBlockListRoute } from "../../src/http/block-list-route.js";
import { addReportRoutes } from "../../src/http/report-routes.js";
import { createHttpServer } from "../../src/http/server.js";
import { fuzzOpenapi } from "../support/fuzz-openapi.js";
import { answerSchema, document, schemaProblems } from "../support/openapi-document.js";
import { ADMIN_TOKEN, serveApi } from "../support/served-api.js";

const FILE = fileURLToPath(new URL("../../openapi.yaml", import.meta.url));

/** Conditions that a lookup has no facts for. */
const GATE_ONLY = ["path", "device", "header", "userAgent", "velocity"];

const RULES_FILE = new URL("../../../core/rules.schema.json", import.meta.url);

const require = createRequire(import.meta.url);

function pathOf(name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

const redocly = pathOf("@redocly/cli/bin/cli.js");

/** Returns a schema without texts, and without what only gates have. A list of words is always of strings. */

function constraintsOf(schema: unknown): unknown {
  const text = JSON.stringify(schema, (name, value: unknown) => {
    if ([...GATE_ONLY, "description", "title", "examples"].includes(name)) return undefined;
    if (name === "enum") return (value as string[]).filter((word) => word !== "challenge");
    const { enum: words, ...rest } = (value ?? {}) as { readonly enum?: unknown };
    return words === undefined ? value : { ...rest, type: "string", enum: words };
  });
  const { $schema: _, ...constraints } = JSON.parse(text) as Record<string, unknown>;
  return constraints;
}

describe("openapi.yaml", () => {
  it("is what the service serves, as JSON", async () => {
    const { get } = await serveApi();
    const answer = await get("/openapi.json", []);
    expect(answer.header("content-type")).toBe("application/json; charset=utf-8");
    expect(JSON.parse(answer.body)).toEqual(parse(readFileSync(FILE, "utf8")));
  });

  it("describes operator rules as rules.schema.json does, without what only gates have", () => {
    const { schemas } = document.components;
    const names = { rule: "OperatorRule", conditions: "RuleConditions", flags: "RuleFlags" };
    const { definitions, ...set } = JSON.parse(
      readFileSync(RULES_FILE, "utf8").replaceAll(
        /"#\/definitions\/(\w+)"/g,
        (_, name: keyof typeof names) => `"#/components/schemas/${names[name]}"`,
      ),
    ) as { definitions: Record<string, object> };
    const described = { OperatorRules: set } as Record<string, object>;
    for (const [name, definition] of Object.entries(definitions)) {
      if (name === "patterns") continue;
      described[names[name as keyof typeof names]] = definition;
    }
    for (const [name, expected] of Object.entries(described)) {
      expect(constraintsOf(schemas[name]), name).toEqual(constraintsOf(expected));
    }
  });

  it.skipIf(!redocly)(
    redocly ? "passes the linter" : "is not linted: @redocly/cli is missing",
    () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [redocly ?? "", "lint", "--extends=recommended-strict", FILE],
        { encoding: "utf8", env: { ...process.env, REDOCLY_TELEMETRY: "off" } },
      );
      expect(`${stdout}${stderr}`).toContain("valid");
      expect(status).toBe(0);
    },
  );

  it("names every route and no other", async () => {
    const routes = new Set(Object.values(LOOKUP_PATHS).map((path) => `GET ${path}`));
    const server: FastifyInstance = createHttpServer({
      handler: () => false,
      maxBodyBytes: 1_000,
      drainMs: 1,
    });
    server.addHook("onRoute", ({ url, method }) => {
      // A list of methods is what refuses all others; HEAD goes with GET.
      if (typeof method === "string" && method !== "HEAD") routes.add(`${method} ${url}`);
    });
    addReportRoutes(server, {} as never);
    addBlockListRoute(server, {} as never);
    addHealthRoutes(server, {} as never);
    addMetricsRoute(server, {} as never, () => {});
    addResource(server, "/openapi.json", { GET: () => {} });
    const sessions = createSessions(() => 0);
    const shared = {
      token: ADMIN_TOKEN,
      adminOrigin: undefined,
      sessions,
      wrongCredentials: {} as never,
    };
    const access = { ...shared, proofKey: "key" };
    addSessionRoutes(server, shared);
    addAdminRoutes(server, access, { storage: {} } as never);
    await server.ready();
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const written = [...routes].map((route) => route.replaceAll(/:(\w+)/g, "{$1}"));
    expect(
      documented.map((one) => one.replace(/(?<=\/v1\/(?:emails|ips)\/)\{.*$/, "")).toSorted(),
    ).toEqual(written.toSorted());
    expect(document.webhooks.delivery).toBeDefined();
  });

  it("describes the answers to requests that are made from it", async () => {
    expect((await fuzzOpenapi(100)).size).toBeGreaterThan(1);
  });

  it.each([
    ["/v1/emails/{email}", "/v1/emails/a@mailinator.test", 200],
    ["/v1/emails/{email}", "/v1/emails/%zz", 400],
    ["/v1/emails/{email}", "/v1/emails/a@example.test/b", 404],
    ["/v1/ips/{ip}", "/v1/ips/2a00::1", 200],
    ["/v1/ips/{ip}", "/v1/ips/198.51.100.109", 200],
    ["/v1/ips/{ip}", "/v1/ips/junk", 400],
    ["/v1/ips/{ip}", "/v1/ips/198.51.100.202", 429],
    ["/v1/ips/{ip}", "/v1/ips/198.51.100.203", 503],
    ["/healthz", "/healthz", 200],
    ["/readyz", "/readyz", 200],
    ["/openapi.json", "/openapi.json", 200],
    ["/openapi.json", "/openapi.json/%zz", 400],
  ])("describes the answer of %s to %s: %i", async (path, url, status) => {
    const { get } = await serveApi({ application: { kind: "sandbox" } });
    const answer = await get(url);
    expect(answer.status).toBe(status);
    const schema = answerSchema(document.paths[path]?.["get"], status);
    expect(schema).toBeDefined();
    expect(schemaProblems(schema ?? {}, JSON.parse(answer.body))).toEqual([]);
  });

  it.each(["/v1/emails/{email}", "/v1/ips/{ip}"])("describes the 401 of %s", async (path) => {
    const { get } = await serveApi();
    const answer = await get(path.replace(/\{.*/, "x"), []);
    expect(answer.status).toBe(401);
    const schema = answerSchema(document.paths[path]?.["get"], 401);
    expect(schemaProblems(schema ?? {}, JSON.parse(answer.body))).toEqual([]);
  });

  it("describes answers so closely that a wrong one is found", () => {
    const geo = { $ref: "#/components/schemas/Geo" };
    expect(schemaProblems(geo, { city: null, latitude: 1.5 })).toEqual([]);
    expect(schemaProblems(geo, { city: 1 })).toHaveLength(1);
    expect(schemaProblems(geo, { latitude: 91 })).toHaveLength(1);
    expect(schemaProblems(geo, { country_code: "us" })).toHaveLength(1);
    expect(schemaProblems(geo, { asn: 1 })).toHaveLength(1);
    expect(schemaProblems({ $ref: "#/components/schemas/Error" }, {})).toHaveLength(6);
  });
});
