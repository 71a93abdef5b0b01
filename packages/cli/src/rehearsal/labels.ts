import { RiskGateError } from "@riskgate/core";
import { openLogFile } from "./log-file.js";

/** What is known about an identifier. */
export type Label = "abuse" | "good";

/** What is known about some identifiers, by their digest. */
export interface Labels {
  readonly size: number;
  of(digest: string | undefined): Label | undefined;
}

const DIGEST = /^[0-9a-f]{32}$/;

/** They are kept in memory, each in about 100 bytes. */
const MAX_LABELS = 2_000_000;

/**
 * Read labels: lines of `digest,label`, or of JSON with these two members. A first line that names the
 * columns is passed over. An identifier with both labels is known for abuse.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a line that is no label: the figures would be wrong.
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

/** Half as long, and a text of its own: a part of a line would keep the whole line in memory. */
function compact(digest: string): string {
  return Buffer.from(digest, "hex").toString("latin1");
}

function refuse(name: string, line: number): never {
  throw new RiskGateError("CONFIG_INVALID", `${name}: line ${line} is no label`, {
    hint: "Write `digest,label` with `abuse` or `good`; `riskgate rehearse digest` makes digests",
  });
}
