import type { Application } from "../storage/applications.js";
import type { Instant } from "../storage/instant.js";
import type { OutboxEntry } from "../storage/outbox.js";
import type { Storage } from "../storage/storage.js";
import { type BatchElement, bodyOf, MAX_PAYLOADS_PER_DELIVERY, splitPayloads } from "./batch.js";
import type { DispatchNotice } from "./dispatch-notice.js";
import { isReceiving } from "./receiving-application.js";
import { type OutgoingPayload, toWire } from "./wire.js";

/**
 * Make deliveries out of what waits for one application: all that are full, and those whose oldest
 * payload was queued by `until`. Of what its settings exclude, nothing is sent.
 *
 * @returns Whether more may wait, and what an operator may want to know.
 */
export function packOutbox(
  storage: Storage,
  applicationId: string,
  until: Instant,
): Promise<{ readonly isCrowded: boolean; readonly notices: readonly DispatchNotice[] }> {
  // As one, so that no setting changes between taking and making, and no payload goes out twice.
  return storage.transaction(async ({ applications, outbox, deliveries }) => {
    const entries = await outbox.take(applicationId, MAX_PAYLOADS_PER_DELIVERY);
    const application = await applications.get(applicationId);
    const isCrowded = entries.length === MAX_PAYLOADS_PER_DELIVERY;
    const notices: DispatchNotice[] = [];
    const parcels: Parcel[] = [];
    const unwanted: number[] = [];
    for (const entry of entries) {
      const parcel = application && parcelOf(entry, application);
      if (parcel) parcels.push(parcel);
      else unwanted.push(entry.seq);
    }
    if (unwanted.length > 0) {
      await outbox.remove(unwanted);
      notices.push({ type: "dropped", applicationId, count: unwanted.length });
    }
    if (!application) return { isCrowded, notices };

    const batches = splitPayloads(parcels, application).filter(
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
  });
}

interface Parcel extends BatchElement {
  readonly seq: number;
  readonly queuedAt: Instant;
}

/** The entry in the form in which it is sent; undefined when it is not to be sent. */
function parcelOf(entry: OutboxEntry, application: Application): Parcel | undefined {
  const { seq, type, queuedAt } = entry;
  const { payloadTypes, eventKinds } = application;
  if (!isReceiving(application) || !payloadTypes.includes(type)) return undefined;
  const payload = parsePayload(entry.payload);
  if (!payload) return undefined;
  const isKindWanted = !eventKinds || eventKinds.includes(String(payload["event_kind"]));
  if (type === "security_event" && !isKindWanted) return undefined;
  return { seq, type, queuedAt, text: JSON.stringify(toWire(payload)) };
}

function parsePayload(text: string): OutgoingPayload | undefined {
  try {
    return JSON.parse(text) as OutgoingPayload;
  } catch {
    // Damaged in the database; tried again, it would block all others for ever.
    return undefined;
  }
}
