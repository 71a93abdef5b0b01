import { valueAt } from "./body-readings.js";

/** The default place of the email in a body. */
const EMAIL_PATH: readonly string[] = ["email"];

/** Returns the own property `email` of a parsed body, the default location of the email. */
export function emailOf(body: unknown): unknown {
  return valueAt(body, EMAIL_PATH);
}
