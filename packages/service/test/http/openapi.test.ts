import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";
import { addHealthRoutes } from "../../src/http/health-routes.js";
import { LOOKUP_PATHS } from "../../src/http/lookup-path.js";
import { OPENAPI_TEXT } from "../../src/http/openapi-text.js";
import { createHttpServer } from "../../src/http/server.js";
import { schemaProblems } from "../support/schema-problems.js";
import { serveApi } from "../support/served-api.js";

const FILE = fileURLToPath(new URL("../../openapi.yaml", import.meta.url));
const TEXT_FILE = "../../src/http/openapi-text.ts";

const require = createRequire(import.meta.url);

/** A dev dependency that may not be there. */
async function optional<T>(name: string): Promise<T | undefined> {
  return import(name).then(
    (loaded: T) => loaded,
    () => undefined,
  );
}

function pathOf(name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

interface Operation {
  readonly responses: Readonly<Record<string, object>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: { readonly delivery: unknown };
}

const document = JSON.parse(OPENAPI_TEXT) as Document;
const yaml = await optional<{ parse(text: string): unknown }>("yaml");
const redocly = pathOf("@redocly/cli/bin/cli.js");

/** The schema of an answer, if it has one of JSON. */
function schemaOf(path: string, status: number): object | undefined {
  let response = document.paths[path]?.["get"]?.responses[String(status)] as
    { $ref?: string; content?: Record<string, { schema: object }> } | undefined;
  const { $ref } = response ?? {};
  if ($ref !== undefined) {
    response = $ref
      .slice(2)
      .split("/")
      .reduce(
        (node, name) => (node as Record<string, unknown>)[name] as object,
        document as object,
      );
  }
  return response?.content?.["application/json"]?.schema;
}

describe("openapi.yaml", () => {
  it.skipIf(!yaml)(
    yaml ? "is what the service serves (vitest -u writes it)" : "is not compared: yaml is missing",
    async () => {
      const text = JSON.stringify(yaml?.parse(readFileSync(FILE, "utf8")));
      const escaped = text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
      await expect(
        "/** The document of `openapi.yaml` as JSON; a test writes and compares it. */\n" +
          `export const OPENAPI_TEXT: string =\n  '${escaped}';\n`,
      ).toMatchFileSnapshot(TEXT_FILE);
    },
  );

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

  it("names every public route and no other", () => {
    const routes = new Set(Object.values(LOOKUP_PATHS).map((path) => path.slice(0, -1)));
    const server: FastifyInstance = createHttpServer({
      handler: () => false,
      maxBodyBytes: 1_000,
      drainMs: 1,
    });
    server.addHook("onRoute", ({ url, method }) => {
      // A list of methods is what refuses all others.
      if (method === "GET") routes.add(url);
    });
    addHealthRoutes(server, { guard: () => {} } as never);
    return server.ready().then(() => {
      const documented = Object.keys(document.paths).map((path) => path.replace(/\/\{.*$/, ""));
      expect([...routes].toSorted()).toEqual(documented.toSorted());
      expect(document.webhooks.delivery).toBeDefined();
    });
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
    const schema = schemaOf(path, status);
    expect(schema).toBeDefined();
    expect(schemaProblems(schema ?? {}, JSON.parse(answer.body), document)).toEqual([]);
  });

  it.each(["/v1/emails/{email}", "/v1/ips/{ip}"])("describes the 401 of %s", async (path) => {
    const { get } = await serveApi();
    const answer = await get(path.replace(/\{.*/, "x"), []);
    expect(answer.status).toBe(401);
    expect(schemaProblems(schemaOf(path, 401) ?? {}, JSON.parse(answer.body), document)).toEqual(
      [],
    );
  });
});

describe("schemaProblems", () => {
  it("finds what a schema does not allow", () => {
    const geo = { $ref: "#/components/schemas/Geo" };
    expect(schemaProblems(geo, { city: null, latitude: 1.5 }, document)).toEqual([]);
    expect(schemaProblems(geo, { city: 1 }, document)).toHaveLength(1);
    expect(schemaProblems(geo, { latitude: 91 }, document)).toHaveLength(1);
    expect(schemaProblems(geo, { country_code: "us" }, document)).toHaveLength(1);
    expect(schemaProblems(geo, { asn: 1 }, document)).toHaveLength(1);
    const error = { $ref: "#/components/schemas/Error" };
    expect(schemaProblems(error, {}, document)).toHaveLength(6);
  });
});
