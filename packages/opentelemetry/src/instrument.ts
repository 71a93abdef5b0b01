import { subscribe, unsubscribe } from "node:diagnostics_channel";
import {
  type Histogram,
  type Counter,
  type Meter,
  type MeterProvider,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
} from "@opentelemetry/api";
import type { LookupMessage } from "@riskgate/core";
import type { DecisionMessage } from "@riskgate/core/log";
import type { DeliveryMessage } from "@riskgate/core/payloads";
import { readOptions } from "@riskgate/core/adapter";

export interface InstrumentationOptions {
  /** Default: the global provider, which may be registered later. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the global provider, which must already be registered. */
  readonly meterProvider?: MeterProvider;
}

const NAME = "@riskgate/opentelemetry";

/** Results of successful lookups; any other result is an error code. */
const SOURCES: ReadonlySet<string> = new Set(["live", "cache", "stale"]);

/**
 * Creates spans and metrics for every lookup, decision and delivery in this process, from core's
 * diagnostic channels. They contain no addresses or accounts.
 *
 * @returns A function that stops it.
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function instrumentRiskgate(options: InstrumentationOptions = {}): () => void {
  const { tracerProvider, meterProvider } = readOptions("instrumentRiskgate", options, (given) => ({
    tracerProvider: given.value("tracerProvider", trace) as Pick<TracerProvider, "getTracer">,
    meterProvider: given.value("meterProvider", metrics) as Pick<MeterProvider, "getMeter">,
  }));
  const tracer = tracerProvider.getTracer(NAME);
  const instruments = createInstruments(meterProvider.getMeter(NAME));
  const listeners = [
    ["riskgate:lookup", (message: unknown) => onLookup(message as LookupMessage)],
    ["riskgate:decision", (message: unknown) => onDecision(message as DecisionMessage)],
    ["riskgate:delivery", (message: unknown) => onDelivery(message as DeliveryMessage)],
  ] as const;

  const onLookup = (lookup: LookupMessage): void => {
    instruments.lookups.record(lookup.durationMs / 1000, lookupAttributes(lookup));
    recordSpan(tracer, lookup);
  };
  const onDecision = ({ id, outcome, enforced, because, score }: DecisionMessage): void => {
    instruments.decisions.add(1, {
      "riskgate.outcome": outcome,
      "riskgate.enforced": enforced,
      "riskgate.because": because,
    });
    // The request span, where users expect the decision.
    trace.getActiveSpan()?.setAttributes({
      "riskgate.decision_id": id,
      "riskgate.outcome": outcome,
      "riskgate.because": because,
      ...(score !== null && { "riskgate.score": score }),
    });
  };
  const onDelivery = (delivery: DeliveryMessage): void => {
    const { status, code, secretId, handled, duplicates, pending, ignored, failed } = delivery;
    if (secretId !== undefined) {
      trace.getActiveSpan()?.setAttribute("riskgate.secret_id", secretId);
    }
    instruments.deliveries.add(1, {
      "http.response.status_code": status,
      ...(code !== undefined && { "error.type": code }),
    });
    const results = { handled, duplicate: duplicates, pending, ignored, failed };
    for (const [result, count] of Object.entries(results)) {
      if (count > 0) instruments.payloads.add(count, { "riskgate.payload.result": result });
    }
  };

  for (const [channel, listener] of listeners) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of listeners) unsubscribe(channel, listener);
  };
}

interface Instruments {
  readonly lookups: Histogram;
  readonly decisions: Counter;
  readonly deliveries: Counter;
  readonly payloads: Counter;
}

function createInstruments(meter: Meter): Instruments {
  return {
    lookups: meter.createHistogram("riskgate.lookup.duration", {
      description: "Duration of lookups, by source of the assessment",
      unit: "s",
      advice: { explicitBucketBoundaries: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.8, 2] },
    }),
    decisions: meter.createCounter("riskgate.decisions", {
      description: "Gate decisions",
      unit: "{decision}",
    }),
    deliveries: meter.createCounter("riskgate.deliveries", {
      description: "Webhook deliveries received, by response status",
      unit: "{delivery}",
    }),
    payloads: meter.createCounter("riskgate.payloads", {
      description: "Payloads in webhook deliveries, by result",
      unit: "{payload}",
    }),
  };
}

function lookupAttributes({ type, result }: LookupMessage): Record<string, string> {
  return {
    "riskgate.lookup.type": type,
    ...(SOURCES.has(result) ? { "riskgate.lookup.source": result } : { "error.type": result }),
  };
}

/** Creates the span of a finished lookup as a child of the caller's active span. */
function recordSpan(tracer: Tracer, lookup: LookupMessage): void {
  const endedAtMs = performance.timeOrigin + performance.now();
  const span = tracer.startSpan(`riskgate.lookup ${lookup.type}`, {
    kind: lookup.attempts > 0 ? SpanKind.CLIENT : SpanKind.INTERNAL,
    startTime: endedAtMs - lookup.durationMs,
    attributes: { ...lookupAttributes(lookup), "riskgate.lookup.requests": lookup.attempts },
  });
  if (!SOURCES.has(lookup.result)) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endedAtMs);
}
