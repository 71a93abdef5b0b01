import type { Storage } from "../../storage/storage.js";
import type { StoredDelivery } from "../../storage/deliveries.js";
import type { Subject } from "../../storage/ledger-store.js";

/** What the administration API works on. */
export interface AdminParts {
  readonly storage: Storage;
  /** Takes reports; rejects with INVALID_ARGUMENT for anything but an array of them. */
  readonly intake: {
    report(applicationId: string, events: unknown): Promise<object>;
    outcomes(applicationId: string, outcomes: unknown): Promise<object>;
    counters(applicationId: string, sample: unknown): Promise<object>;
  };
  readonly dispatcher: {
    wake(): void;
    /** Undefined for an unknown delivery. */
    retry(deliveryId: string): Promise<StoredDelivery | undefined>;
    /** Resolves to the id of the payload. */
    sendTest(applicationId: string): Promise<string>;
  };
  readonly feeds: {
    list(): readonly object[];
    reload(): Promise<void>;
  };
  /** Called when a subject was erased from the storage, to erase it from memory as well. */
  readonly onErased: (subject: Subject) => void;
  /** Called after every change, before the answer: keys may have been revoked. */
  readonly onChanged: () => void;
}
