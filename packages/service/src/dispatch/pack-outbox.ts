import { isWanted } from "../detection/events/wanted-payload.js";
import type { Application } from "../model/application.js";
import type { Instant } from "../model/instant.js";
import { RiskGateError } from "@riskgate/core";
import type { NewDelivery, OutboxEntry } from "../model/delivery.js";
import { bodyOf } from "../model/delivery-body.js";
import type { Storage } from "../storage/storage.js";
import { MAX_PAYLOADS_PER_DELIVERY, splitPayloads } from "./batch.js";
import type { DispatchNotice } from "./dispatch-notice.js";

export interface PackedOutbox {
  /** True if more payloads may be waiting than were read. */
  readonly hasMore: boolean;
  readonly notices: readonly DispatchNotice[];
}

/**
 * Packs the waiting payloads of one application into deliveries: all full ones, and those whose oldest
 * payload has waited long enough. Payloads that the application does not want are removed.
 */
export function packOutbox(
  storage: Storage,
  applicationId: string,
  hasWaited: (queuedAt: Instant) => boolean,
): Promise<PackedOutbox> {
  // One transaction, so that settings do not change in between and no payload is sent twice.
  const pack = async ({
    applications,
    outbox,
    deliveries,
    log,
  }: Storage): Promise<PackedOutbox> => {
    await log.awaitDetection(applicationId);
    // Outside of the transaction, which would hold up all reports until it ends.
    await storage.log.awaitAppends(applicationId);
    const from = await log.position(applicationId, "delivery");
    const { entries, hasMore } = await outbox.take(applicationId, MAX_PAYLOADS_PER_DELIVERY);
    const isCrowded = entries.length === MAX_PAYLOADS_PER_DELIVERY;
    const notices: DispatchNotice[] = [];
    const application = await applications.get(applicationId);
    const wanted = entries.filter((entry) => application && isEntryWanted(application, entry));
    const batches = application ? splitPayloads(wanted, application) : [];
    const isDue = ({ isFull, elements: [oldest] }: (typeof batches)[number]): boolean =>
      isFull || isCrowded || hasWaited(oldest!.queuedAt);
    // Everything up to the last batch that is due, because the log has one position.
    const due = batches.slice(0, batches.findLastIndex(isDue) + 1);
    const left = new Set(batches.slice(due.length).flatMap(({ elements }) => elements));
    const end = entries.findIndex((entry) => left.has(entry));
    const passed = end < 0 ? entries : entries.slice(0, end);
    if (passed.length === 0) return { hasMore, notices };
    for (const { isOversized, bytes } of due) {
      const { maxBodyBytes } = application!;
      if (isOversized) notices.push({ type: "oversized", applicationId, bytes, maxBodyBytes });
    }
    const packed = due.map((batch) => deliveryOf(batch.elements, entries));
    if (packed.length > 0) await deliveries.create(applicationId, packed);
    const to = passed.at(-1)!.seq;
    if (!(await outbox.pass(applicationId, from, to))) throw movedByAnother();
    const damaged = passed.filter(({ isDamaged }) => isDamaged).length;
    if (damaged > 0) notices.push({ type: "dropped", applicationId, count: damaged });
    return { hasMore, notices };
  };
  return storage.transaction(pack);
}

/** Returns a delivery of some entries, which omits the others between them. */
function deliveryOf(
  elements: readonly OutboxEntry[],
  entries: readonly OutboxEntry[],
): NewDelivery {
  const seqs = elements.map(({ seq }) => seq);
  const own = new Set(seqs);
  const without = entries
    .map(({ seq }) => seq)
    .filter((seq) => seq > seqs[0]! && seq < seqs.at(-1)! && !own.has(seq));
  return { body: bodyOf({ elements }), seqs, without };
}

function movedByAnother(): RiskGateError {
  return new RiskGateError("STORE_FAILED", "another process has sent these payloads", {
    hint: "That process is the owner of the application now",
  });
}

function isEntryWanted(application: Application, entry: OutboxEntry): boolean {
  // A damaged payload would make the whole delivery unreadable.
  return !entry.isDamaged && isWanted(application, entry);
}
