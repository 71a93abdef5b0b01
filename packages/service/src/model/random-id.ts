import { randomBytes } from "node:crypto";

/** Make an id of as many hex digits: 24 for an application, 32 for everything else. */
export function randomId(digits: 24 | 32 = 32): string {
  return randomBytes(digits / 2).toString("hex");
}
