import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { OutboxBacklog } from "../model/delivery.js";
import type { UnfinishedDeliveries } from "../model/delivery.js";
import type { StorageUsage } from "../storage/storage.js";
import type { Report } from "../detection/events/report.js";

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
type AttemptOutcome = "delivered" | "retry" | "dead" | "cancelled";

/** What an application can report. */
export type ReportKind = "event" | "login" | "counter" | "decision";

/** Upper bounds of the buckets for durations, in seconds. */
const BOUNDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Values that are read when the metrics are. */
export interface Gauges {
  /** Payloads that wait for a delivery, by application. */
  readonly backlog: readonly OutboxBacklog[];
  /** Deliveries that are pending or dead, by application. */
  readonly deliveries: readonly UnfinishedDeliveries[];
  readonly usage: StorageUsage;
  /** Subjects that the ledger in memory remembers. */
  readonly ledger: { readonly ips: number; readonly emails: number };
  readonly feeds: readonly {
    readonly name: string;
    readonly kind: string;
    readonly size: number;
    readonly ageMs?: number;
  }[];
}

/**
 * Counts what the service does. Applications are named by their id; nothing in it is personal data.
 */
export interface Metrics {
  lookup(type: LookupType, result: LookupResult, durationMs: number): void;
  report(applicationId: string, kind: ReportKind, report: Report): void;
  attempt(applicationId: string, outcome: AttemptOutcome): void;
  readonly contentType: string;
  /** Everything in the text format of Prometheus. */
  text(gauges: Gauges, nowSeconds: number): Promise<string>;
}

/** Makes metrics that start at zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: readonly string[]): Counter =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name, help, labelNames, registers });

  const lookups = counter("riskgate_lookups_total", "Lookups by type and result", [
    "type",
    "result",
  ]);
  const durations = new Histogram({
    name: "riskgate_lookup_duration_seconds",
    help: "Time to answer a lookup",
    buckets: BOUNDS,
    registers,
  });
  const reported = counter("riskgate_reported_elements_total", "Elements of reports by state", [
    "application",
    "kind",
    "state",
  ]);
  const attempts = counter("riskgate_delivery_attempts_total", "Attempts by outcome", [
    "application",
    "outcome",
  ]);
  const outbox = gauge("riskgate_outbox_payloads", "Payloads that wait for a delivery", [
    "application",
  ]);
  const oldest = gauge("riskgate_outbox_oldest_seconds", "Age of the oldest of them", [
    "application",
  ]);
  const deliveries = gauge("riskgate_deliveries", "Deliveries that are pending or dead", [
    "application",
    "state",
  ]);
  const ledger = gauge("riskgate_ledger_subjects", "Subjects in the ledger in memory", ["type"]);
  const feedEntries = gauge("riskgate_feed_entries", "Entries in use", ["feed", "kind"]);
  const feedAge = gauge("riskgate_feed_age_seconds", "Time since a feed was current", [
    "feed",
    "kind",
  ]);
  const databaseBytes = gauge("riskgate_database_bytes", "Size of the database");
  const freeBytes = gauge("riskgate_disk_free_bytes", "Free space where the database is");
  const memory = gauge("process_resident_memory_bytes", "Memory of the process");
  const uptime = gauge("process_uptime_seconds", "Time since the process started");

  // Found once: the labels of a lookup are looked up for each request otherwise.
  const lookupsBy = new Map(
    LOOKUP_TYPES.flatMap((type) =>
      LOOKUP_RESULTS.map((result) => [`${type} ${result}`, lookups.labels(type, result)]),
    ),
  );
  for (const child of lookupsBy.values()) child.inc(0);

  return {
    lookup(type, result, durationMs) {
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
      // What is gone since the last time, such as a deleted application, must not be shown again.
      for (const one of [outbox, oldest, deliveries, feedEntries, feedAge]) one.reset();
      for (const { applicationId: application, count, oldestQueuedAt } of gauges.backlog) {
        outbox.set({ application }, count);
        oldest.set({ application }, Math.max(0, nowSeconds - oldestQueuedAt / 1e6));
      }
      for (const { applicationId: application, state, count } of gauges.deliveries) {
        deliveries.set({ application, state }, count);
      }
      for (const { name: feed, kind, size, ageMs } of gauges.feeds) {
        feedEntries.set({ feed, kind }, size);
        if (ageMs !== undefined) feedAge.set({ feed, kind }, ageMs / 1000);
      }
      ledger.set({ type: "ip" }, gauges.ledger.ips);
      ledger.set({ type: "email" }, gauges.ledger.emails);
      databaseBytes.set(gauges.usage.databaseBytes);
      if (gauges.usage.freeBytes !== undefined) freeBytes.set(gauges.usage.freeBytes);
      memory.set(process.memoryUsage.rss());
      uptime.set(process.uptime());
      return registry.metrics();
    },
  };
}
