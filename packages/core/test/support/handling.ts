import type { RiskGateError } from "../../src/base/errors.js";
import { createReceiver, type Receiver, type ReceiverOptions } from "../../src/webhook/receiver.js";
import type { WebhookHandlers } from "../../src/webhook/handlers.js";
import { SECRET } from "./vectors.js";

/** A handler of test payloads. */
export type Handler = NonNullable<WebhookHandlers["test"]>;

/** A receiver with one handler; it records the ids handled and the codes of errors. */
export function handling(
  handler: Handler,
  options: Partial<ReceiverOptions> = {},
): { receiver: Receiver; started: (string | undefined)[]; errors: RiskGateError[] } {
  const started: (string | undefined)[] = [];
  const errors: RiskGateError[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    on: {
      test(payload, context) {
        started.push(payload.id);
        return handler(payload, context);
      },
    },
    onError: (error) => errors.push(error),
    ...options,
  });
  return { receiver, started, errors };
}

/** A promise and what settles it. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
