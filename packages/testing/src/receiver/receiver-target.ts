import type { SecretValue } from "@riskgate/core";

/** A receiver of webhooks to test. */
export interface ReceiverTarget {
  readonly url: URL;
  readonly secret: SecretValue;
  /** Time limit for a response, in milliseconds; default 10,000, the limit of senders. */
  readonly timeoutMs?: number;
  /** Time limit for a body that never ends, in milliseconds; default 30,000. */
  readonly slowMs?: number;
}
