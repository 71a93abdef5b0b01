/** A JSON object whose members mean nothing to the storage. */
export type JsonObject = Readonly<Record<string, unknown>>;
