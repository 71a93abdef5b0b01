import type { Distinct } from "../../model/incident.js";
import { createHash } from "node:crypto";

const KEPT = 1024;

/** Upper bound of the hashes, whole numbers that JSON represents exactly. */
const HASHES = 2 ** 48;

/** Adds texts; one that was already added changes nothing. */
export function addDistinct(seen: Distinct, texts: readonly string[]): Distinct {
  if (texts.length === 0) return seen;
  const hashes = new Set([...seen, ...texts.map(hashOf)]);
  return [...hashes].sort((a, b) => a - b).slice(0, KEPT);
}

export function countDistinct(seen: Distinct): number {
  if (seen.length < KEPT) return seen.length;
  return Math.round(((KEPT - 1) * HASHES) / seen[KEPT - 1]!);
}

function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUIntBE(0, 6);
}
