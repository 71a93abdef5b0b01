import { connect } from "node:net";
import { rawRequest } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ErrorBody } from "../../src/http/error-body.js";
import { createMetrics } from "../../src/http/metrics.js";
import { derivedEntry } from "../../src/model/derived-entry.js";
import { createService } from "../../src/service.js";
import { temporaryDirectory } from "../support/temporary-storage.js";
import { ADMIN_TOKEN, serveApi } from "../support/served-api.js";

/** Everything that the server answers to these bytes, until it ends the connection. */
async function rawExchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const GAUGES = {
  backlog: [],
  deliveries: [],
  usage: { databaseBytes: 4096, freeBytes: 1e9 },
  lag: [],
  feeds: [],
};

/** Unix time in seconds at which the tests read. */
const NOW = 1_000;

/** Value of one sample; its labels may be in any order. */
function valueOf(text: string, sample: string): number {
  const labelsOf = (row: string): string =>
    (/\{(.*)\}/.exec(row)?.[1] ?? "").split(",").toSorted().join(",");
  const name = sample.split("{")[0];
  const line = text
    .split("\n")
    .find((row) => row.split(/[{ ]/)[0] === name && labelsOf(row) === labelsOf(sample));
  return Number(line?.slice(line.lastIndexOf(" ") + 1));
}

describe("createMetrics", () => {
  it("counts lookups by type and result, with a cumulative histogram", async () => {
    const metrics = createMetrics();
    metrics.lookup({ type: "ip", result: "ok", durationMs: 0.3 });
    metrics.lookup({ type: "ip", result: "ok", durationMs: 3 });
    metrics.lookup({ type: "email", result: "unauthorized", durationMs: 60_000 });
    const text = await metrics.text(GAUGES, NOW);

    expect(valueOf(text, 'riskgate_lookups_total{type="ip",result="ok"}')).toBe(2);
    expect(valueOf(text, 'riskgate_lookups_total{type="email",result="unauthorized"}')).toBe(1);
    expect(valueOf(text, 'riskgate_lookups_total{type="email",result="ok"}')).toBe(0);
    const buckets = ["0.0001", "0.0005", "0.005", "5", "+Inf"].map((bound) =>
      valueOf(text, `riskgate_lookup_duration_seconds_bucket{le="${bound}"}`),
    );
    expect(buckets).toEqual([0, 1, 2, 2, 3]);
    expect(valueOf(text, "riskgate_lookup_duration_seconds_count")).toBe(3);
    expect(valueOf(text, "riskgate_lookup_duration_seconds_sum")).toBeCloseTo(60.0033, 6);
  });

  it("counts attempts and what was reported by application", async () => {
    const metrics = createMetrics();
    metrics.attempt("shop", "retry");
    metrics.attempt("shop", "retry");
    metrics.attempt("forum", "dead");
    const report = { accepted: 3, duplicates: 1, refused: 2, elements: [], events: [] };
    metrics.report("shop", "login", report);
    const text = await metrics.text(GAUGES, NOW);
    const attempts = "riskgate_delivery_attempts_total";
    expect(valueOf(text, `${attempts}{application="shop",outcome="retry"}`)).toBe(2);
    expect(valueOf(text, `${attempts}{application="forum",outcome="dead"}`)).toBe(1);
    const elements = "riskgate_reported_elements_total";
    const states = ["accepted", "duplicate", "refused"].map((state) =>
      valueOf(text, `${elements}{application="shop",kind="login",state="${state}"}`),
    );
    expect(states).toEqual([3, 1, 2]);
  });

  it("shows what waits only while it does", async () => {
    const metrics = createMetrics();
    const waiting = { applicationId: "shop", count: 7, oldestQueuedAt: (NOW - 30) * 1e6 };
    const before = await metrics.text({ ...GAUGES, backlog: [waiting] }, NOW);
    expect(valueOf(before, 'riskgate_outbox_payloads{application="shop"}')).toBe(7);
    expect(valueOf(before, 'riskgate_outbox_oldest_seconds{application="shop"}')).toBe(30);
    expect(await metrics.text(GAUGES, NOW)).not.toContain('application="shop"');
  });

  it("shows how far detection is behind, only while it is", async () => {
    const metrics = createMetrics();
    const lag = [{ applicationId: "shop", oldestAt: (NOW - 4) * 1e6 }];
    const behind = await metrics.text({ ...GAUGES, lag }, NOW);
    expect(valueOf(behind, 'riskgate_detection_lag_seconds{application="shop"}')).toBe(4);
    const ahead = await metrics.text({ ...GAUGES, lag }, NOW - 9);
    expect(valueOf(ahead, 'riskgate_detection_lag_seconds{application="shop"}')).toBe(0);
    expect(await metrics.text(GAUGES, NOW)).not.toContain('application="shop"');
  });

  it("writes foreign names of feeds as one label", async () => {
    const name = 'a"b\nc\\d';
    const feeds = [{ name, kind: "tor", size: 5, ageMs: 90_000 }];
    const text = await createMetrics().text({ ...GAUGES, feeds }, NOW);
    expect(text).toContain(String.raw`riskgate_feed_entries{feed="a\"b\nc\\d",kind="tor"} 5`);
    expect(text).toContain(String.raw`riskgate_feed_age_seconds{feed="a\"b\nc\\d",kind="tor"} 90`);
  });
});

describe("operation routes", () => {
  it("show what waits and what was done", async () => {
    const { get, getAdmin, storage, application, clock } = await serveApi({
      application: { webhookUrl: "https://hooks.example/security" },
    });
    const body = Buffer.from("[]");
    await storage.outbox.add(application.id, [{ type: "test", payload: { n: 1 } }]);
    await storage.deliveries.create(application.id, [{ body, seqs: [] }]);
    const rest = derivedEntry({ type: "test", payload: { n: 1 } });
    await storage.log.append([
      { applicationId: application.id, entries: [{ ...rest, type: "counters", cause: null }] },
    ]);
    clock.now += 1_000_000;
    await get("/v1/ips/8.8.8.8");
    const answer = await getAdmin("/metrics");
    expect(answer.header("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const { id } = application;
    expect(valueOf(answer.body, `riskgate_outbox_payloads{application="${id}"}`)).toBe(1);
    const lag = `riskgate_detection_lag_seconds{application="${id}"}`;
    expect(valueOf(answer.body, lag)).toBeGreaterThan(0);
    const pending = `riskgate_deliveries{application="${id}",state="pending"}`;
    expect(valueOf(answer.body, pending)).toBe(1);
    expect(valueOf(answer.body, "riskgate_database_bytes")).toBeGreaterThan(4096);
    expect(valueOf(answer.body, "riskgate_disk_free_bytes")).toBeGreaterThan(0);
    expect(valueOf(answer.body, 'riskgate_feed_entries{feed="tor",kind="tor"}')).toBe(1);
    expect(valueOf(answer.body, 'riskgate_lookups_total{type="ip",result="ok"}')).toBe(1);
    expect(valueOf(answer.body, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });

  it.each([
    ["has a metrics token", { metricsToken: "a-token-of-the-metrics" }, "a-token-of-the-metrics"],
    ["listens for other machines", { adminHost: "0.0.0.0" }, ADMIN_TOKEN],
    ["is behind a proxy", { adminOrigin: "https://risk.example" }, ADMIN_TOKEN],
  ])("require a token for the metrics if the service %s", async (_what, settings, token) => {
    const { getAdmin } = await serveApi(settings);
    const ask = async (given: string) =>
      (await getAdmin("/metrics", [["Authorization", `Bearer ${given}`]])).status;
    expect((await getAdmin("/metrics")).status).toBe(401);
    expect(await ask("another-token-of-another")).toBe(401);
    expect(await ask(token)).toBe(200);
    expect(await ask(ADMIN_TOKEN)).toBe(token === ADMIN_TOKEN ? 200 : 401);
  });

  it.each([{ adminHost: "0.0.0.0" }, { adminHost: "::" }, { adminOrigin: "https://risk.example" }])(
    "are not served to other machines without a token: %j",
    async ({ adminHost, ...options }) => {
      const service = await createService({ dataDir: await temporaryDirectory(), ...options });
      onTestFinished(() => service.close());
      await expect(service.listen({ port: 0, host: "127.0.0.1", adminHost })).rejects.toMatchObject(
        {
          code: "CONFIG_INVALID",
          hint: expect.stringContaining("`metricsToken`") as string,
        },
      );
    },
  );

  it.each([
    ["localhost", 200],
    ["LOCALHOST:8080", 200],
    ["127.0.0.1:8080", 200],
    ["[::1]:8080", 200],
    ["risk.example", 403],
    ["127.0.0.1.risk.example", 403],
    ["localhost.risk.example", 403],
    ["evil-localhost", 403],
    ["", 403],
  ])(
    "take a connection from this machine for its own where Host is %j: %d",
    async (host, status) => {
      const { adminPort: port } = await serveApi();
      const answers = await rawExchange(
        port,
        `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(answers).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    },
  );

  it("name the setting to change if Host names another machine", async () => {
    const { adminPort: port } = await serveApi();
    const answer = await rawExchange(
      port,
      `GET /console/ HTTP/1.1\r\nHost: risk.example:8081\r\nConnection: close\r\n\r\n`,
    );
    const { details, message } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as ErrorBody;
    for (const text of [details, message]) expect(text).toContain("`--admin-origin`");
    // The name may be that of an attacker.
    expect(answer).not.toContain("risk.example");
  });

  it("show that the service is not ready once its storage is gone", async () => {
    const { get, storage } = await serveApi();
    expect((await get("/readyz", [])).body).toBe('{"status":"ready"}');
    await storage.close();
    const answer = await get("/readyz", []);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 503, info: "" });
    expect((await get("/healthz", [])).status).toBe(200);
  });

  it("refuse other methods with their own Allow", async () => {
    const { port } = await serveApi();
    const answer = await rawRequest(port, { method: "POST", path: "/healthz" });
    expect(answer.status).toBe(405);
    expect(answer.header("allow")).toBe("GET, HEAD");
  });
});
