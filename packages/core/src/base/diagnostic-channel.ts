/** A channel of `node:diagnostics_channel` with the type of its messages. */
export interface DiagnosticChannel<Message> {
  /** False without a subscriber: the message need not be made. */
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
}
