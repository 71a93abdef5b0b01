import type { Storage } from "../../storage/storage.js";
import type { StoredDelivery } from "../../storage/deliveries.js";
import type { Subject } from "../../storage/ledger-store.js";

/** What the administration API works on, beside the storage. */
export interface AdminParts {
  readonly storage: Storage;
  /** Takes reports; what is no such array it refuses with INVALID_ARGUMENT. */
  readonly intake: {
    report(applicationId: string, events: unknown): Promise<object>;
    outcomes(applicationId: string, outcomes: unknown): Promise<object>;
    counters(applicationId: string, sample: unknown): Promise<object>;
  };
  readonly dispatcher: {
    wake(): void;
    /** Undefined where there is no such delivery, or it is still pending. */
    retry(deliveryId: string): Promise<StoredDelivery | undefined>;
    /** The id of the payload. */
    sendTest(applicationId: string): Promise<string>;
  };
  readonly feeds: {
    list(): readonly object[];
    reload(): Promise<void>;
  };
  /** Told once a subject is erased from the storage, for what is in memory. */
  readonly onErased: (subject: Subject) => void;
  /** Told after every change, before it is answered: keys may have been revoked. */
  readonly onChanged: () => void;
}
