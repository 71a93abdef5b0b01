import type { RecordedEvent } from "@riskgate/api-types";
import { accountsIn, addressesIn } from "./event-subjects.js";

/** Events of one kind and application within ten minutes. */
export interface EventFold {
  /** In their order in the list, the newest first. */
  readonly events: readonly [RecordedEvent, ...RecordedEvent[]];
  readonly addresses: number;
  readonly accounts: number;
}

const FOLD_MS = 600_000;

/** Divides a list, in which the newest event comes first, into folds by their newest events. */
export function foldEvents(events: readonly RecordedEvent[]): readonly EventFold[] {
  const folds: [RecordedEvent, ...RecordedEvent[]][] = [];
  const latest = new Map<string, (typeof folds)[number]>();
  for (const event of events) {
    const key = `${event.applicationId}/${event.kind}`;
    const fold = latest.get(key);
    if (fold && receivedMs(fold[0]) - receivedMs(event) <= FOLD_MS) fold.push(event);
    else {
      const begun: (typeof folds)[number] = [event];
      latest.set(key, begun);
      folds.push(begun);
    }
  }
  return folds.map((fold) => ({
    events: fold,
    addresses: countNames(fold, addressesIn),
    accounts: countNames(fold, accountsIn),
  }));
}

function receivedMs({ receivedAt }: RecordedEvent): number {
  return Date.parse(receivedAt);
}

function countNames(
  events: readonly RecordedEvent[],
  namesIn: (payload: RecordedEvent["payload"]) => readonly string[],
): number {
  return new Set(events.flatMap(({ payload }) => namesIn(payload))).size;
}
