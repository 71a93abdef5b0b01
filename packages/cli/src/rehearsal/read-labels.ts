import { RiskGateError } from "@riskgate/core";
import type { Label, Labels } from "./label.js";
import { openLogFile } from "./log-file.js";

const DIGEST = /^[0-9a-f]{32}$/;

/** Kept in memory, each in about 100 bytes. */
const MAX_LABELS = 2_000_000;

/**
 * Reads labels: lines of `digest,label`, or of JSON with these two members. A header line is skipped.
 * An identifier with both labels counts as abuse.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any other line: the figures would be wrong.
 */
export async function readLabels(name: string): Promise<Labels> {
  const labels = new Map<string, Label>();
  const file = await openLogFile(name);
  let number = 0;
  const add = (line: string | undefined): void => {
    number++;
    if (line?.trim() === "" || (number === 1 && line?.trim() === "digest,label")) return;
    const [digest, label] = (line !== undefined && pairIn(line)) || refuse(name, number);
    if (labels.get(digest) !== "abuse") labels.set(digest, label);
    if (labels.size > MAX_LABELS) {
      throw new RiskGateError("CONFIG_INVALID", `more than 2,000,000 labels in ${name}`);
    }
  };
  try {
    if (!(await file.readLines(add, () => {}))) refuse(name, number);
  } finally {
    await file.close();
  }
  return {
    size: labels.size,
    of: (digest) => (digest === undefined ? undefined : labels.get(compact(digest))),
  };
}

function pairIn(line: string): [digest: string, label: Label] | undefined {
  const [digest, label] = line.trimStart().startsWith("{") ? membersOf(line) : line.split(",");
  const word = typeof label === "string" ? label.trim() : undefined;
  if (typeof digest !== "string" || !DIGEST.test(digest.trim())) return undefined;
  if (word !== "abuse" && word !== "good") return undefined;
  return [compact(digest.trim()), word];
}

function membersOf(line: string): unknown[] {
  try {
    const { digest, label } = JSON.parse(line) as Record<string, unknown>;
    return [digest, label];
  } catch {
    return [];
  }
}

/** Half as long, and a new string: a slice of the line would keep the whole line in memory. */
function compact(digest: string): string {
  return Buffer.from(digest, "hex").toString("latin1");
}

function refuse(name: string, line: number): never {
  throw new RiskGateError("CONFIG_INVALID", `${name}: line ${line} is not a label`, {
    hint: "Write `digest,label` with `abuse` or `good`; `riskgate rehearse digest` makes digests",
  });
}
