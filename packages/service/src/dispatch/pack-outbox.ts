import { isWanted } from "../detection/events/wanted-payload.js";
import type { Application } from "../model/application.js";
import type { Instant } from "../model/instant.js";
import type { OutboxEntry } from "../model/delivery.js";
import type { Storage } from "../storage/storage.js";
import { bodyOf, MAX_PAYLOADS_PER_DELIVERY, splitPayloads } from "./batch.js";
import type { DispatchNotice } from "./dispatch-notice.js";

export interface PackedOutbox {
  /** True if more payloads were waiting than fit in one delivery; others may remain. */
  readonly isCrowded: boolean;
  readonly notices: readonly DispatchNotice[];
}

/**
 * Packs the waiting payloads of one application into deliveries: all full ones, and those whose oldest
 * payload was queued by `until`. Payloads that the application does not want are removed.
 */
export function packOutbox(
  storage: Storage,
  applicationId: string,
  until: Instant,
): Promise<PackedOutbox> {
  // One transaction, so that settings do not change in between and no payload is sent twice.
  const pack = async ({ applications, outbox, deliveries }: Storage): Promise<PackedOutbox> => {
    const entries = await outbox.take(applicationId, MAX_PAYLOADS_PER_DELIVERY);
    const isCrowded = entries.length === MAX_PAYLOADS_PER_DELIVERY;
    const notices: DispatchNotice[] = [];
    const application = await applications.get(applicationId);
    const wanted = entries.filter((entry) => application && isEntryWanted(application, entry));
    if (wanted.length < entries.length) {
      const kept = new Set(wanted);
      const dropped = entries.filter((entry) => !kept.has(entry));
      await outbox.remove(dropped.map(({ seq }) => seq));
      notices.push({ type: "dropped", applicationId, count: dropped.length });
    }
    if (!application || wanted.length === 0) return { isCrowded, notices };

    const batches = splitPayloads(wanted, application).filter(
      ({ isFull, elements: [oldest] }) => isFull || isCrowded || oldest!.queuedAt <= until,
    );
    for (const { isOversized, bytes } of batches) {
      const { maxBodyBytes } = application;
      if (isOversized) notices.push({ type: "oversized", applicationId, bytes, maxBodyBytes });
    }
    if (batches.length > 0) {
      await deliveries.create(
        applicationId,
        batches.map((batch) => ({
          body: bodyOf(batch),
          seqs: batch.elements.map(({ seq }) => seq),
        })),
      );
    }
    return { isCrowded, notices };
  };
  return storage.transaction(pack, "dispatch");
}

function isEntryWanted(application: Application, entry: OutboxEntry): boolean {
  // A damaged payload would make the whole delivery unreadable.
  return !entry.isDamaged && isWanted(application, entry);
}
