import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { OutboxBacklog } from "../model/delivery.js";
import type { UnfinishedDeliveries } from "../model/delivery.js";
import type { DetectionLag } from "../storage/log-store.js";
import type { StorageUsage } from "../model/storage-usage.js";

import type { Report } from "../detection/events/report.js";
import { LOOKUP_RESULTS, LOOKUP_TYPES, type LookupObserver } from "../lookups/answered-lookup.js";

type AttemptOutcome = "delivered" | "retry" | "dead" | "cancelled";

export type ReportKind = "event" | "login" | "counter" | "decision" | "label";

/** Upper bounds of the duration buckets, in seconds. */
const BOUNDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

export interface Gauges {
  readonly backlog: readonly OutboxBacklog[];
  readonly deliveries: readonly UnfinishedDeliveries[];
  readonly usage: StorageUsage;
  readonly lag: readonly Pick<DetectionLag, "applicationId" | "oldestAt">[];
  readonly feeds: readonly {
    readonly name: string;
    readonly kind: string;
    readonly size: number;
    readonly ageMs?: number;
  }[];
}

/** The service metrics. They identify applications by id and contain no personal data. */
export interface Metrics {
  readonly lookup: LookupObserver;
  report(applicationId: string, kind: ReportKind, report: Report): void;
  attempt(applicationId: string, outcome: AttemptOutcome): void;
  readonly contentType: string;
  text(gauges: Gauges, nowSeconds: number): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const counterOf = (name: string, help: string, labelNames: readonly string[]): Counter =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const reported = counterOf("riskgate_reported_elements_total", "Reported elements by state", [
    "application",
    "kind",
    "state",
  ]);
  const attempts = counterOf("riskgate_delivery_attempts_total", "Delivery attempts by outcome", [
    "application",
    "outcome",
  ]);
  const lookups = counterOf("riskgate_lookups_total", "Lookups by type and result", [
    "type",
    "result",
  ]);
  const durations = new Histogram({
    name: "riskgate_lookup_duration_seconds",
    help: "Time to respond to a lookup",
    buckets: BOUNDS,
    registers: [registry],
  });
  const setGauges = createGauges(registry);

  // Resolved once: otherwise each request would look up its labels.
  const lookupsBy = new Map(
    LOOKUP_TYPES.flatMap((type) =>
      LOOKUP_RESULTS.map((result) => [`${type} ${result}`, lookups.labels(type, result)]),
    ),
  );
  for (const child of lookupsBy.values()) child.inc(0);

  return {
    lookup({ type, result, durationMs }) {
      lookupsBy.get(`${type} ${result}`)!.inc();
      durations.observe(durationMs / 1000);
    },
    report(application, kind, { accepted, duplicates, refused }) {
      reported.inc({ application, kind, state: "accepted" }, accepted);
      reported.inc({ application, kind, state: "duplicate" }, duplicates);
      reported.inc({ application, kind, state: "refused" }, refused);
    },
    attempt(application, outcome) {
      attempts.inc({ application, outcome });
    },
    contentType: registry.contentType,
    text(gauges, nowSeconds) {
      setGauges(gauges, nowSeconds);
      return registry.metrics();
    },
  };
}

function createGauges(registry: Registry): (gauges: Gauges, nowSeconds: number) => void {
  const gaugeOf = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const application = ["application"];
  const feed = ["feed", "kind"];
  const outbox = gaugeOf("riskgate_outbox_payloads", "Payloads awaiting a delivery", application);
  const oldest = gaugeOf(
    "riskgate_outbox_oldest_seconds",
    "Age of the oldest payload awaiting a delivery",
    application,
  );
  const deliveries = gaugeOf("riskgate_deliveries", "Deliveries that are pending or dead", [
    "application",
    "state",
  ]);
  const lag = gaugeOf(
    "riskgate_detection_lag_seconds",
    "Age of the oldest report that has not been evaluated",
    application,
  );
  const feedEntries = gaugeOf("riskgate_feed_entries", "Feed entries in use", feed);
  const feedAge = gaugeOf(
    "riskgate_feed_age_seconds",
    "Time since a feed was last known to be current",
    feed,
  );
  const databaseBytes = gaugeOf("riskgate_database_bytes", "Size of the database");
  const freeBytes = gaugeOf("riskgate_disk_free_bytes", "Free space on the disk of the database");
  const memory = gaugeOf("process_resident_memory_bytes", "Resident memory of the process");
  const uptime = gaugeOf("process_uptime_seconds", "Time since the process started");

  return (gauges, nowSeconds) => {
    // Labels that no longer exist, such as a deleted application, must disappear.
    for (const one of [outbox, oldest, lag, deliveries, feedEntries, feedAge]) one.reset();
    for (const { applicationId, count, oldestQueuedAt } of gauges.backlog) {
      outbox.set({ application: applicationId }, count);
      const ageSeconds = nowSeconds - oldestQueuedAt / 1e6;
      oldest.set({ application: applicationId }, Math.max(0, ageSeconds));
    }
    for (const { applicationId, state, count } of gauges.deliveries) {
      deliveries.set({ application: applicationId, state }, count);
    }
    for (const { name, kind, size, ageMs } of gauges.feeds) {
      feedEntries.set({ feed: name, kind }, size);
      if (ageMs !== undefined) feedAge.set({ feed: name, kind }, ageMs / 1000);
    }
    for (const { applicationId, oldestAt } of gauges.lag) {
      lag.set({ application: applicationId }, Math.max(0, nowSeconds - oldestAt / 1e6));
    }
    databaseBytes.set(gauges.usage.databaseBytes);
    if (gauges.usage.freeBytes !== undefined) freeBytes.set(gauges.usage.freeBytes);
    memory.set(process.memoryUsage.rss());
    uptime.set(process.uptime());
  };
}
