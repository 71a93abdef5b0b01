import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createGate, createReceiver, createRiskClient, type RiskGateError } from "@riskgate/core";
import { createFakeService, payloads, signDelivery } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { instrumentRiskgate } from "../src/index.js";

const SECRET = "the-signing-secret";

/** Telemetry of one test, kept in memory. */
function collect() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const stop = instrumentRiskgate({ tracerProvider, meterProvider });
  onTestFinished(async () => {
    stop();
    await meterProvider.shutdown();
  });
  return {
    stop,
    tracer: tracerProvider.getTracer("test"),
    spans: () => exporter.getFinishedSpans(),
    /** Attributes of each point of a metric. */
    points: async (name: string) => {
      await reader.forceFlush();
      const [latest] = metricExporter.getMetrics().slice(-1);
      const all = latest?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
      const points = all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
      return points.map(({ attributes, value }) => ({ attributes, value }));
    },
  };
}

/** A client of a real service with set answers. */
async function openClient() {
  const service = await createFakeService({
    apiKey: "key",
    answers: { "9.9.9.9": { risk_score: 90 } },
  });
  const client = createRiskClient({ baseUrl: service.baseUrl, apiKey: "key", timeoutMs: 60_000 });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return client;
}

describe("instrumentRiskgate", () => {
  const manager = new AsyncLocalStorageContextManager();
  beforeAll(() => void context.setGlobalContextManager(manager.enable()));
  afterAll(() => context.disable());

  it("makes a span of each lookup, below the span that awaits it", async () => {
    const { tracer, spans } = collect();
    const client = await openClient();
    const request = tracer.startSpan("POST /signup");
    await context.with(trace.setSpan(context.active(), request), async () => {
      await client.lookupIp("9.9.9.9");
      await client.lookupIp("9.9.9.9");
    });
    request.end();
    const parentSpanContext = { spanId: request.spanContext().spanId };
    expect(spans().slice(0, 2)).toMatchObject([
      {
        name: "riskgate.lookup ip",
        attributes: { "riskgate.lookup.source": "live", "riskgate.lookup.requests": 1 },
        parentSpanContext,
      },
      { attributes: { "riskgate.lookup.source": "cache" }, parentSpanContext },
    ]);
    for (const { duration } of spans()) expect(duration[0] + duration[1]).toBeGreaterThan(0);
  });

  it("names the code of a lookup that failed, and not whom it asked about", async () => {
    const { spans, points } = collect();
    const client = await openClient();
    const failure = await client.lookupIp("no address").catch((error: RiskGateError) => error);
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(spans()).toMatchObject([{ status: { code: 2 } }]);
    expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain("no address");
    expect(await points("riskgate.lookup.duration")).toMatchObject([
      { attributes: { "error.type": "INVALID_ARGUMENT" }, value: { count: 1 } },
    ]);
  });

  it("counts decisions, and writes them on the span of the request", async () => {
    const { tracer, spans, points } = collect();
    const gate = createGate({ lookup: await openClient(), budgetMs: 60_000 });
    const request = tracer.startSpan("POST /signup");
    const { id } = await context.with(trace.setSpan(context.active(), request), () =>
      gate.decide({ ip: "9.9.9.9" }),
    );
    request.end();
    const attributes = { "riskgate.outcome": "reject", "riskgate.because": "score" };
    expect(await points("riskgate.decisions")).toMatchObject([{ attributes, value: 1 }]);
    expect(spans().at(-1)!.attributes).toMatchObject({
      ...attributes,
      "riskgate.score": 90,
      "riskgate.decision_id": id,
    });
  });

  it("counts deliveries by status, and payloads by what became of them", async () => {
    const { tracer, spans, points } = collect();
    const secrets = { id: "2027", value: SECRET };
    const receiver = createReceiver({ secrets, on: { security_event: () => {} } });
    const delivery = signDelivery([payloads.securityEvent(), payloads.test()], SECRET);
    const request = tracer.startSpan("POST /webhooks/security");
    await context.with(trace.setSpan(context.active(), request), () => receiver.receive(delivery));
    request.end();
    expect(spans().at(-1)!.attributes).toEqual({ "riskgate.secret_id": "2027" });
    await receiver.receive({ ...delivery, signature: "0".repeat(64) });
    expect(await points("riskgate.deliveries")).toEqual([
      { attributes: { "http.response.status_code": 204 }, value: 1 },
      {
        attributes: { "http.response.status_code": 401, "error.type": "SIGNATURE_INVALID" },
        value: 1,
      },
    ]);
    expect(await points("riskgate.payloads")).toEqual([
      { attributes: { "riskgate.payload.result": "handled" }, value: 1 },
      { attributes: { "riskgate.payload.result": "ignored" }, value: 1 },
    ]);
  });

  it("hears nothing once it was stopped", async () => {
    const { stop, spans } = collect();
    const client = await openClient();
    stop();
    await client.lookupIp("9.9.9.9");
    expect(spans()).toEqual([]);
  });

  it("refuses what is no option", () => {
    expect(() => instrumentRiskgate({ tracer: {} } as never)).toThrow(
      "`tracer`: unknown option; did you mean `tracerProvider`?",
    );
  });
});
