/** A JSON object that the storage does not interpret. */
export type JsonObject = Readonly<Record<string, unknown>>;
