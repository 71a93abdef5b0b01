import type { FeedInfo } from "@riskgate/engine";
import type { Application } from "../../model/application.js";
import type { DeliveryState, OutboxBacklog } from "../../model/delivery.js";
import { epochMsOf } from "../../model/instant.js";
import type { StorageUsage } from "../../model/storage-usage.js";

export interface Attention {
  readonly what:
    | "application_disabled"
    | "endpoint_failing"
    | "deliveries_dead"
    | "payloads_waiting"
    | "feed_old"
    | "feed_empty"
    | "no_address_data"
    | "disk_full";
  readonly message: string;
  readonly applicationId: string | null;
}

interface Situation {
  readonly applications: readonly Application[];
  readonly backlog: readonly OutboxBacklog[];
  readonly usage: StorageUsage;
  readonly deliveries: Readonly<Record<DeliveryState, number>>;
  readonly feeds: readonly Pick<FeedInfo, "kind" | "name" | "size" | "ageMs">[];
  readonly nowMs: number;
}

/** Payloads are normally packed within seconds; after this time, something is preventing it. */
const LATE_MS = 300_000;

const DAY_MS = 86_400_000;

/** Publishers change their lists every day or week. */
const OLD_FEED_DAYS = 14;

const LOW_DISK_BYTES = 500_000_000;

export function attentionTo(situation: Situation): readonly Attention[] {
  const { applications, backlog, usage, deliveries, feeds, nowMs } = situation;
  const found: Attention[] = [];
  const add = (what: Attention["what"], message: string, applicationId?: string): void => {
    found.push({ what, message, applicationId: applicationId ?? null });
  };
  const { freeBytes } = usage;
  if (freeBytes !== undefined && freeBytes < LOW_DISK_BYTES) {
    add("disk_full", `The disk has only ${Math.floor(freeBytes / 1e6)} MB of free space`);
  }
  for (const { id, name, disabledAt, disabledReason, failingSince } of applications) {
    if (disabledAt !== null) {
      add("application_disabled", `${name} is disabled: ${disabledReason ?? "no reason"}`, id);
    } else if (failingSince !== null) {
      const since = timeText(epochMsOf(failingSince), nowMs);
      add("endpoint_failing", `${name}'s webhook has been failing since ${since}`, id);
    }
  }
  if (deliveries.dead > 0)
    add(
      "deliveries_dead",
      deliveries.dead === 1
        ? "1 delivery has failed for good"
        : `${deliveries.dead} deliveries have failed for good`,
    );
  for (const { applicationId, count, oldestQueuedAt } of backlog) {
    if (nowMs - epochMsOf(oldestQueuedAt) < LATE_MS) continue;
    const name = applications.find(({ id }) => id === applicationId)?.name ?? applicationId;
    add(
      "payloads_waiting",
      `${counted(count, "payload")} for ${name} ${count === 1 ? "waits" : "wait"} for too long`,
      applicationId,
    );
  }
  if (feeds.every(({ kind }) => kind === "disposable")) {
    add(
      "no_address_data",
      "No address data: no feed of addresses is loaded, so an address scores 0 until an application reports it",
    );
  }
  for (const { name, size, ageMs = 0 } of feeds) {
    const days = Math.floor(ageMs / DAY_MS);
    if (size === 0) add("feed_empty", `The feed ${name} is empty`);
    else if (days >= OLD_FEED_DAYS) add("feed_old", `The feed ${name} is ${days} days old`);
  }
  return found;
}

/** `08:40 UTC`, with the day if it is not today. */
function timeText(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs).toISOString(), new Date(nowMs).toISOString()];
  const day = at.slice(0, 10) === now.slice(0, 10) ? "" : `${at.slice(0, 10)} `;
  return `${day}${at.slice(11, 16)} UTC`;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
