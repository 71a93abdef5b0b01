/** A channel of `node:diagnostics_channel` with the type of its messages. */
export interface DiagnosticChannel<Message> {
  /** False while nobody listens: then no message needs to be made. */
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
}
