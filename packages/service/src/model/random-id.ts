/** Returns a random id in hex digits: 24 for an application, 32 for everything else. */
export function randomId(digits: 24 | 32 = 32): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(digits / 2))).toString("hex");
}
