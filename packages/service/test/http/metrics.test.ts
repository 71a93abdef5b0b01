import { rawRequest } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { createMetrics } from "../../src/http/metrics.js";
import { serveApi } from "../support/served-api.js";

const GAUGES = { outboxPayloads: 0, deliveries: {} };

/** Value of one sample. */
function valueOf(text: string, sample: string): number {
  const line = text.split("\n").find((row) => row.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1));
}

describe("createMetrics", () => {
  it("counts lookups by type and result, with a cumulative histogram", () => {
    const metrics = createMetrics();
    metrics.lookup("ip", "ok", 0.3);
    metrics.lookup("ip", "ok", 3);
    metrics.lookup("email", "unauthorized", 60_000);
    const text = metrics.text(GAUGES);

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

  it("counts attempts by outcome", () => {
    const metrics = createMetrics();
    metrics.attempt("retry");
    metrics.attempt("dead");
    metrics.attempt("retry");
    const text = metrics.text(GAUGES);
    expect(valueOf(text, 'riskgate_delivery_attempts_total{outcome="retry"}')).toBe(2);
    expect(valueOf(text, 'riskgate_delivery_attempts_total{outcome="delivered"}')).toBe(0);
  });

  it("writes nothing but comments and samples, each family described once", () => {
    const rows = createMetrics()
      .text({ outboxPayloads: 3, deliveries: { pending: 1, dead: 2 } })
      .trimEnd()
      .split("\n");
    for (const row of rows) {
      expect(row).toMatch(/^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[^}]+\})? [0-9.e+-]+)$/);
    }
    const types = rows.filter((row) => row.startsWith("# TYPE"));
    expect(new Set(types).size).toBe(types.length);
  });
});

describe("operation routes", () => {
  it("show what waits and what was done", async () => {
    const { get, storage, application } = await serveApi();
    const body = Buffer.from("[]");
    await storage.outbox.add(application.id, [{ type: "test", payload: {} }]);
    await storage.deliveries.create(application.id, [{ body, seqs: [] }]);
    await get("/v1/ips/8.8.8.8");
    const answer = await get("/metrics", []);
    expect(answer.header("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(valueOf(answer.body, "riskgate_outbox_payloads")).toBe(1);
    expect(valueOf(answer.body, 'riskgate_deliveries{state="pending"}')).toBe(1);
    expect(valueOf(answer.body, 'riskgate_lookups_total{type="ip",result="ok"}')).toBe(1);
    expect(valueOf(answer.body, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });

  it("keep the metrics from addresses that are not allowed", async () => {
    const { get } = await serveApi({ adminNetworks: ["10.0.0.0/8"] });
    expect((await get("/metrics")).status).toBe(403);
    expect((await get("/healthz", [])).body).toBe('{"status":"ok"}');
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
