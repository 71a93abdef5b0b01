/** A JSON object whose members are none of the storage's business. */
export type JsonObject = Readonly<Record<string, unknown>>;
