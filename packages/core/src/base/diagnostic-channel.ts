/** A `node:diagnostics_channel` channel with typed messages. */
export interface DiagnosticChannel<Message> {
  /** False without a subscriber, so the message need not be built. */
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
}
