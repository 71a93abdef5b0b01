/** A stored record whose id or name begins with a searched text. */
export interface FoundRecord {
  readonly type:
    "incident" | "event" | "decision" | "delivery" | "playbook" | "address" | "account";
  /** An id, or the address or account itself. */
  readonly id: string;
  /** Genre, kind, outcome, state or name; empty for an address or an account. */
  readonly about: string;
}
