/** Returns true for a number from 0 to 100. Written so that NaN fails too. */
export function isScore(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 100;
}
