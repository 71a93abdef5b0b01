import { mkdtempSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { verify } from "@riskgate/core";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import type { FeedOptions } from "@riskgate/engine";
import { createService } from "@riskgate/service";
import { createFakeService } from "@riskgate/testing";
import type { AdminClient } from "../../src/admin/admin-client.js";
import { checkService } from "../../src/doctor/service-check.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Finding, statesOf } from "../support/findings.js";
import { deadUrl, serve, serveReceiver } from "../support/receiver.js";
import { jsonLines, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";
import { makeCertificate } from "../../../../tools/test/certificate.js";

const scratch = scratchDirectory();
const KEY = "fake-key-1";
const SECRET = "hook-secret-1";
const TOKEN = "administration-token-1";
const env = { RISKGATE_API_KEY: KEY, RISKGATE_SIGNING_SECRET: SECRET };

async function examine(args: readonly string[], environment: Record<string, string> = env) {
  const run = await runCommand(["doctor", ...args, "--json"], { env: environment });
  for (const secret of [KEY, SECRET]) expect(run.stdout + run.stderr).not.toContain(secret);
  const findings = jsonLines<Finding>(run.stdout);
  return { ...run, findings, worst: findings.find(({ state }) => state === "fault") };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

describe("riskgate doctor --url", () => {
  it("finds nothing wrong with a sound service", async () => {
    const service = await createFakeService();
    onTestFinished(() => service.close());
    const { status, findings } = await examine(["--url", service.baseUrl]);
    expect(statesOf(findings)).toEqual([
      ["lookup API is reached", "ok"],
      ["clocks agree", "ok"],
      ["a request without a key is refused", "ok"],
      ["administration is on another port", "ok"],
      ["a request with a wrong key is refused", "ok"],
      ["API key is accepted", "ok"],
      ["IP address is assessed", "ok"],
      ["email address is assessed", "ok"],
      ["text that is not an IP address is refused", "ok"],
      ["lookups are fast enough for a gate", "ok"],
    ]);
    expect(status).toBe(0);
  });

  it("finds the URL of the service in the environment, also beside a webhook", async () => {
    const service = await createFakeService();
    onTestFinished(() => service.close());
    const environment = { ...env, RISKGATE_BASE_URL: service.baseUrl };
    const alone = await examine([], environment);
    expect(alone.findings.at(-1)?.check).toBe("lookups are fast enough for a gate");
    expect(alone.status).toBe(0);
    const both = await examine(
      ["--webhook", (await serveReceiver({ status: 401 })).url],
      environment,
    );
    expect(both.findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(["lookup API is reached", "an unsigned delivery is refused"]),
    );
    const wrong = await examine([], { ...env, RISKGATE_BASE_URL: "risk.example" });
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain("RISKGATE_BASE_URL must begin with https://");
  });

  it("checks a report key, and says how to create one", async () => {
    const service = await createService({
      dataDir: mkdtempSync(join(scratch.path, "data-")),
      adminToken: TOKEN,
    });
    onTestFinished(() => service.close());
    const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    const call = async (path: string, body: object) =>
      (await (
        await fetch(`${adminUrl}/admin/v1/applications${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      ).json()) as { key: string; application: { id: string } };
    const { application, key } = await call("", { name: "Shop" });
    const { key: reportKey } = await call(`/${application.id}/keys`, { scope: "report" });
    const verdictOn = async (RISKGATE_REPORT_KEY: string) => {
      const { findings } = await examine(["--url", url], {
        RISKGATE_API_KEY: key,
        RISKGATE_REPORT_KEY,
      });
      return findings.find(({ check }) => check === "report key is accepted");
    };
    expect(await verdictOn(reportKey)).toMatchObject({ state: "ok" });
    expect(await verdictOn(key)).toMatchObject({
      state: "fault",
      found: "status 401",
      remedy: expect.stringContaining("--report") as string,
    });
  });

  it("checks nothing if the administration token is missing", async () => {
    const service = await createFakeService();
    onTestFinished(() => service.close());
    const args = ["--url", service.baseUrl, "--admin-url", "http://127.0.0.1:9"];
    const { status, findings, stderr } = await examine(args);
    expect({ status, findings }).toEqual({ status: 2, findings: [] });
    expect(stderr).toContain("the administration token is missing");
  });

  it("says that a key is not accepted", async () => {
    const service = await createFakeService({ apiKey: "another-key" });
    onTestFinished(() => service.close());
    const { status, worst } = await examine(["--url", service.baseUrl]);
    expect(worst).toMatchObject({ check: "API key is accepted", found: "status 401" });
    expect(worst!.remedy).toContain("riskgate app key");
    expect(status).toBe(1);
  });

  it.each<[string, (path: string) => [number, Record<string, string>, string] | undefined]>([
    [
      "/admin/v1/applications",
      (path) =>
        path.startsWith("/admin/") ? [401, { "www-authenticate": "Bearer" }, "{}"] : undefined,
    ],
    ["/metrics", (path) => (path === "/metrics" ? [200, {}, "# HELP\nriskgate_a 1\n"] : undefined)],
  ])("finds a proxy that also forwards %s", async (path, answerOf) => {
    const url = await serve((request, response) => {
      const answer = answerOf(request.url ?? "");
      if (answer) response.writeHead(answer[0], answer[1]).end(answer[2]);
      else json(401, {})(request, response);
    });
    const { status, worst } = await examine(["--url", url]);
    expect(worst).toMatchObject({ check: "administration is on another port" });
    expect(worst!.found).toContain(path);
    expect(worst!.remedy).toContain("--admin-port");
    expect(status).toBe(1);
  });

  it("skips the key if none is given", async () => {
    const service = await createFakeService();
    onTestFinished(() => service.close());
    const { status, findings } = await examine(["--url", service.baseUrl], {});
    expect(findings.at(-1)).toMatchObject({ check: "API key is accepted", state: "skipped" });
    expect(status).toBe(0);
  });

  const html: RequestListener = (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>");
  };

  it.each<[string, RequestListener, RegExp, RegExp]>([
    ["a web site", html, /HTML/, /not the lookup API/],
    [
      "a redirect",
      json(308, {}, { location: "https://risk.example/" }),
      /redirect to https:\/\/risk\.example/,
      /final address/,
    ],
    ["a path that is not there", json(404, {}), /404/, /without \/v1/],
    ["a service in trouble", json(503, {}), /503/, /log/],
    [
      "an API that answers everybody",
      json(200, { risk_score: 0 }),
      /status 200/,
      /must answer 401/,
    ],
    ["another API", json(401, []), /not a JSON object/, /not the lookup API/],
    ["a connection that is closed", (request) => request.socket.destroy(), /ECONNRESET/, /log/],
  ])("tells %s by its answer", async (_, listener, found, remedy) => {
    const { status, worst } = await examine(["--url", await serve(listener)]);
    expect(worst?.found).toMatch(found);
    expect(worst?.remedy).toMatch(remedy);
    expect(status).toBe(1);
  });

  it("warns of a clock that differs", async () => {
    const date = new Date(Date.now() - 600_000).toUTCString();
    const { findings } = await examine(["--url", await serve(json(401, {}, { date }))]);
    const clock = findings.find(({ check }) => check === "clocks agree");
    expect(clock).toMatchObject({ state: "warning" });
    expect(clock!.found).toMatch(/(?:599|60\d) seconds ahead/);
  });

  it.each([
    ["nothing listens", deadUrl, /ECONNREFUSED/, /No server is listening/],
    ["nobody answers", () => serve(() => {}), /did not answer within 300 ms/, /did not answer/],
    ["the host is not known", () => "https://nobody.invalid", /ENOTFOUND|EAI_AGAIN/, /host name/],
    ["the key would be readable", () => "http://risk.invalid", /http:/, /https:/],
    ["it does not speak TLS", deadTls, /EPROTO|SSL|ECONNRESET/, /./],
  ])("says when %s", async (title, url, found, remedy) => {
    const limit = title === "nobody answers" ? "300" : "30000";
    const { status, worst } = await examine(["--url", await url(), "--timeout-ms", limit]);
    expect(worst?.found).toMatch(found);
    expect(worst?.remedy).toMatch(remedy);
    expect(status).toBe(1);
  });

  const DAY_MS = 86_400_000;
  it.each([
    [
      "is not trusted",
      "127.0.0.1",
      DAY_MS,
      false,
      /SELF_SIGNED|UNABLE_TO/,
      /not from an authority/,
    ],
    ["has expired", "127.0.0.1", -DAY_MS, true, /EXPIRED/, /expired/],
    ["is for another name", "127.0.0.2", DAY_MS, true, /ALTNAME/, /another name/],
  ])("recognises a certificate that %s", async (_, ip, leftMs, isTrusted, found, remedy) => {
    const now = Date.now();
    const pair = makeCertificate(ip, new Date(now - 2 * DAY_MS), new Date(now + leftMs));
    const server = createTlsServer(pair, json(401, {}));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    const trust = isTrusted && { NODE_EXTRA_CA_CERTS: scratch.file("ca.pem", pair.cert) };
    const { worst } = await examine(["--url", `https://127.0.0.1:${port}`], { ...env, ...trust });
    expect(worst?.found).toMatch(found);
    expect(worst?.remedy).toMatch(remedy);
  });
});

/** A plain server, addressed as if it spoke TLS. */
async function deadTls(): Promise<string> {
  return (await serve(json(200, {}))).replace("http:", "https:");
}

describe("riskgate doctor --webhook", () => {
  const sound = (maxBytes?: number, test = () => {}): RequestListener => {
    const endpoint = createWebhookEndpoint({
      secrets: SECRET,
      on: { test },
      ...(maxBytes !== undefined && { maxBytes }),
    });
    return (request, response) => {
      void endpoint.answer(request).then(({ status, headers, body }) => {
        response.writeHead(status, headers).end(body);
      });
    };
  };

  it("finds nothing wrong with a sound receiver", async () => {
    const { status, findings } = await examine(["--webhook", await serve(sound())]);
    expect(statesOf(findings)).toEqual([
      ["an unsigned delivery is refused", "ok"],
      ["a wrong signature is refused", "ok"],
      ["a signed test payload is accepted", "ok"],
      ["the answer comes in time", "ok"],
      ["a payload of an unknown type does not affect the others", "ok"],
      ["a full-size delivery is accepted", "ok"],
    ]);
    expect(findings.at(-1)!.found).toMatch(/1000 payloads, 52\d{5} bytes/);
    expect(status).toBe(0);
  });

  it("makes the handler of test payloads run three times, not a thousand", async () => {
    let handled = 0;
    const listener = sound(undefined, () => void handled++);
    const { findings } = await examine(["--webhook", await serve(listener)]);
    expect(findings.at(-1)).toMatchObject({
      check: "a full-size delivery is accepted",
      state: "ok",
    });
    expect(handled).toBe(3);
  });

  it("says when the secrets differ", async () => {
    const args = ["--webhook", await serve(sound())];
    const { status, worst } = await examine(args, { RISKGATE_SIGNING_SECRET: "another" });
    expect(worst).toMatchObject({
      check: "a signed test payload is accepted",
      found: "status 401",
    });
    expect(status).toBe(1);
  });

  it("skips the checks of a secret if none is given", async () => {
    const { status, findings } = await examine(["--webhook", await serve(sound())], {});
    expect(findings.map(({ state }) => state)).toEqual(["ok", "ok", "skipped"]);
    expect(status).toBe(0);
  });

  it("finds a receiver that believes anybody", async () => {
    const { url } = await serveReceiver({ status: 204 });
    const { status, findings } = await examine(["--webhook", url]);
    expect(findings.filter(({ state }) => state === "fault").map(({ check }) => check)).toEqual([
      "an unsigned delivery is refused",
      "a wrong signature is refused",
    ]);
    expect(status).toBe(1);
  });

  it("finds a body limit that a full delivery is over", async () => {
    const { status, worst } = await examine(["--webhook", await serve(sound(1_048_576))]);
    expect(worst).toMatchObject({ check: "a full-size delivery is accepted" });
    expect(worst!.found).toMatch(/413|closed early/);
    expect(worst!.remedy).toMatch(/limits/);
    expect(status).toBe(1);
  });

  it("finds a receiver that breaks off a full delivery", async () => {
    const listener = sound();
    const url = await serve((request, response) => {
      if (Number(request.headers["content-length"]) > 100_000) request.socket.destroy();
      else listener(request, response);
    });
    const { worst } = await examine(["--webhook", url]);
    expect(worst!.found).toMatch(/closed early/);
  });

  it("finds a receiver whose parser comes first", async () => {
    const endpoint = createWebhookEndpoint({ secrets: SECRET, on: { test() {} } });
    const url = await serve((request, response) => {
      request.on("end", () => {
        void endpoint.answer(request, {}).then(({ status, headers, body }) => {
          response.writeHead(status, headers).end(body);
        });
      });
      request.resume();
    });
    const { worst } = await examine(["--webhook", url]);
    expect(worst!.found).toMatch(/raw body is not available/);
    expect(worst!.remedy).toMatch(/before any body parser/);
  });

  it.each<[string, RequestListener, RegExp]>([
    ["a redirect", json(308, {}, { location: "/hook/" }), /redirect to \/hook\//],
    ["a path that is not there", json(404, {}), /404/],
    ["a method that is not taken", json(405, {}), /405/],
  ])("tells %s, and asks nothing further", async (_, listener, found) => {
    const { findings } = await examine(["--webhook", await serve(listener)]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ state: "fault" });
    expect(findings.at(0)!.found).toMatch(found);
  });

  it("warns of a receiver that fails a delivery for one payload it does not know", async () => {
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks);
        const isSigned = verify(body, request.headers["x-service-integrity"], SECRET);
        response.writeHead(isSigned ? (body.includes('"doctor"') ? 400 : 204) : 401).end();
      });
    });
    const { status, findings } = await examine(["--webhook", url]);
    expect(findings.find(({ check }) => check.includes("unknown type"))).toMatchObject({
      state: "warning",
      found: "status 400",
    });
    expect(status).toBe(0);
  });
});

describe("riskgate doctor", () => {
  it("checks both at once, and prints lines for people", async () => {
    const service = await createFakeService();
    onTestFinished(() => service.close());
    const { url } = await serveReceiver({ status: 404 });
    const args = ["doctor", "--url", service.baseUrl, "--webhook", url];
    const { status, stdout } = await runCommand(args, { env });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ok {7}lookup API is reached: status 401 in \d+ ms$/m);
    expect(stdout).toMatch(
      /^FAULT {4}an unsigned delivery is refused: status 404\n {9}No route was found/m,
    );
  });

  it("refuses to check nothing, with exit code 2", async () => {
    expect(await runCommand(["doctor"], { env })).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("riskgate doctor --admin-url", () => {
  const token = "admin-token-of-the-doctor";

  /** Starts a service with feeds, and examines it through its administration. */
  async function examineService(feeds: readonly FeedOptions[], given = token) {
    const service = await createService({
      dataDir: mkdtempSync(join(scratch.path, "service-")),
      adminToken: token,
      feeds,
    });
    onTestFinished(() => service.close());
    const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    return examine(["--admin-url", adminUrl], { RISKGATE_ADMIN_TOKEN: given });
  }

  it("says that a service knows no addresses", async () => {
    const domains = { kind: "disposable", entries: ["mailinator.test"] } as const;
    const { status, findings } = await examineService([domains]);
    expect(findings[0]).toMatchObject({
      check: "address data is loaded",
      state: "warning",
      found: expect.stringContaining("no address data"),
      remedy: expect.stringContaining("riskgate feeds init"),
    });
    expect(status).toBe(0);
  });

  it("counts the addresses that it knows", async () => {
    const entries = ["185.220.101.1", "185.220.101.2"];
    const { findings } = await examineService([{ kind: "tor", entries }]);
    expect(findings).toMatchObject([
      { state: "ok", found: "1 feed, 2 entries" },
      { state: "ok", found: expect.stringMatching(/^\S+\/\d+ owns 256 partitions$/) },
      { check: "the clocks agree", state: "ok", found: "1 process" },
      { check: "detection keeps up", state: "ok" },
    ]);
  });

  it("says that a token is not accepted", async () => {
    const { status, findings } = await examineService([], "another-token-of-the-doctor");
    expect(findings).toMatchObject([{ state: "fault" }]);
    expect(status).toBe(1);
  });

  it("warns of applications without a process, wrong clocks and late detection", async () => {
    const applications = [
      { id: "1", name: "Shop", owner: "a/1", lagMs: 61_000 },
      { id: "2", name: "Forum", owner: null, lagMs: 0 },
    ];
    const processes = [
      { name: "a/1", partitions: 128, clockAheadMs: 120_000 },
      { name: "b/1", partitions: 128, clockAheadMs: -3_000 },
      { name: "c/1", partitions: 0, clockAheadMs: 2_000 },
    ];
    const answers = { "GET /feeds": { feeds: [] }, "GET /system": { processes, applications } };
    const client = { call: async (route: keyof typeof answers) => answers[route] };
    const findings: Finding[] = [];
    for await (const one of checkService(client as unknown as AdminClient)) findings.push(one);
    expect(findings.slice(1)).toMatchObject([
      { state: "warning", found: expect.stringMatching(/^1 application without a process; a\/1/) },
      { state: "warning", found: "a/1 is 120 s ahead, b/1 is 3 s behind" },
      { state: "warning", found: "Shop is 61 s behind" },
    ]);
  });
});
