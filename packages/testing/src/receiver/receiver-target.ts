import type { SecretValue } from "@riskgate/core";

/** A receiver of webhooks, known by its address. */
export interface ReceiverTarget {
  /** `https:` or `http:`. */
  readonly url: URL;
  /** The secret that it verifies with. */
  readonly secret: SecretValue;
  /** How long to wait for an answer, in milliseconds; default 10,000, as long as senders do. */
  readonly timeoutMs?: number;
  /** How long a body may take that never ends, in milliseconds; default 30,000. */
  readonly slowMs?: number;
}
