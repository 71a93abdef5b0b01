const LOOKUP_TYPES = ["ip", "email"] as const;
export type LookupType = (typeof LOOKUP_TYPES)[number];

/** How a lookup ended. */
const LOOKUP_RESULTS = [
  "ok",
  "bad_request",
  "unauthorized",
  "rate_limited",
  "failed",
  "sandbox_fault",
] as const;
export type LookupResult = (typeof LOOKUP_RESULTS)[number];

/** How an attempt to deliver ended. */
const ATTEMPT_OUTCOMES = ["delivered", "retry", "dead", "cancelled"] as const;
type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Upper bounds of the buckets for durations, in seconds. */
const BOUNDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5] as const;

/** Values that are read when the metrics are. */
export interface Gauges {
  /** Payloads that wait for a delivery. */
  readonly outboxPayloads: number;
  /** Deliveries in the log, by state. */
  readonly deliveries: Readonly<Record<string, number>>;
}

/** Counts what the service does. It contains no personal data. */
export interface Metrics {
  lookup(type: LookupType, result: LookupResult, durationMs: number): void;
  attempt(outcome: AttemptOutcome): void;
  /** Everything in the text format of Prometheus. */
  text(gauges: Gauges): string;
}

/** Makes metrics that start at zero. */
export function createMetrics(): Metrics {
  const lookups = { ip: zeros(LOOKUP_RESULTS), email: zeros(LOOKUP_RESULTS) };
  const attempts = zeros(ATTEMPT_OUTCOMES);
  const durations = { buckets: BOUNDS.map(() => 0), count: 0, sumSeconds: 0 };

  return {
    lookup(type, result, durationMs) {
      lookups[type][result]++;
      const seconds = durationMs / 1000;
      durations.count++;
      durations.sumSeconds += seconds;
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) durations.buckets[bucket]!++;
    },
    attempt(outcome) {
      attempts[outcome]++;
    },
    text: ({ outboxPayloads, deliveries }) =>
      [
        family(
          "riskgate_lookups_total",
          "counter",
          "Lookups by type and result",
          LOOKUP_TYPES.flatMap((type) => labelled(lookups[type], "result", `type="${type}",`)),
        ),
        family("riskgate_lookup_duration_seconds", "histogram", "Time to answer a lookup", [
          ...cumulative(durations.buckets).map((count, index): Sample => [
            "_bucket",
            `le="${BOUNDS[index]}"`,
            count,
          ]),
          ["_bucket", 'le="+Inf"', durations.count],
          ["_sum", "", durations.sumSeconds],
          ["_count", "", durations.count],
        ]),
        family(
          "riskgate_delivery_attempts_total",
          "counter",
          "Attempts by outcome",
          labelled(attempts, "outcome"),
        ),
        family("riskgate_outbox_payloads", "gauge", "Payloads that wait for a delivery", [
          ["", "", outboxPayloads],
        ]),
        family(
          "riskgate_deliveries",
          "gauge",
          "Deliveries in the log by state",
          labelled(deliveries, "state"),
        ),
        family("process_resident_memory_bytes", "gauge", "Memory of the process", [
          ["", "", process.memoryUsage.rss()],
        ]),
        family("process_uptime_seconds", "gauge", "Time since the process started", [
          ["", "", process.uptime()],
        ]),
      ].join(""),
  };
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

function labelled(
  counts: Readonly<Record<string, number>>,
  label: string,
  others = "",
): readonly Sample[] {
  return Object.entries(counts).map(([name, count]) => ["", `${others}${label}="${name}"`, count]);
}

function cumulative(counts: readonly number[]): readonly number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}

type Sample = readonly [suffix: string, labels: string, value: number];

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(
    ([suffix, labels, value]) => `${name}${suffix}${labels && `{${labels}}`} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
