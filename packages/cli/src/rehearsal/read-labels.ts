import { RiskGateError } from "@riskgate/core";
import type { Label } from "@riskgate/core/internal";
import type { Labels } from "./label.js";
import { openLogFile } from "./log-file.js";

const DIGEST = /^[0-9a-f]{32}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Kept in memory, each in about 100 bytes. */
const MAX_LABELS = 2_000_000;

const HEADERS: ReadonlySet<unknown> = new Set(["digest,label", "decisionId,label"]);

/**
 * Reads labels: lines of `digest,label` or `decisionId,label`, or JSON with these members. A header
 * line is skipped. If an identifier has both labels, it counts as fraud.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any other line: the figures would be wrong.
 */
export async function readLabels(name: string): Promise<Labels> {
  const labels = new Map<string, Label>();
  const file = await openLogFile(name);
  let number = 0;
  const add = (line: string | undefined): void => {
    number++;
    if (line?.trim() === "" || (number === 1 && HEADERS.has(line?.trim()))) return;
    const [key, label] = (line !== undefined && pairIn(line)) || refuse(name, number);
    if (labels.get(key) !== "fraud") labels.set(key, label);
    if (labels.size > MAX_LABELS) {
      throw new RiskGateError("CONFIG_INVALID", `more than 2,000,000 labels in ${name}`);
    }
  };
  try {
    if (!(await file.readLines(add, () => {}))) refuse(name, number);
  } finally {
    await file.close();
  }
  const labelOf = (key: string | undefined): Label | undefined =>
    key === undefined ? undefined : labels.get(compact(key));
  return {
    size: labels.size,
    of({ id, ip, email }) {
      const own = id !== undefined && UUID.test(id) ? labelOf(id) : undefined;
      if (own) return own;
      const found = [labelOf(ip.digest), labelOf(email.digest)];
      return found.find((one) => one === "fraud") ?? found.find((one) => one !== undefined);
    },
  };
}

function pairIn(line: string): [key: string, label: Label] | undefined {
  const [given, label] = line.trimStart().startsWith("{") ? membersOf(line) : line.split(",");
  const [key, word] = [given, label].map((one) => (typeof one === "string" ? one.trim() : ""));
  if (!DIGEST.test(key!) && !UUID.test(key!)) return undefined;
  if (word !== "fraud" && word !== "legitimate") return undefined;
  return [compact(key!), word];
}

function membersOf(line: string): unknown[] {
  try {
    const { digest, decisionId, label } = JSON.parse(line) as Record<string, unknown>;
    return [decisionId ?? digest, label];
  } catch {
    return [];
  }
}

/**
 * Half as long, and a new string: a slice of the line would keep the whole line in memory. A digest
 * and an id of the same 16 bytes are as unlikely as two equal digests.
 */
function compact(key: string): string {
  return Buffer.from(key.replaceAll("-", ""), "hex").toString("latin1");
}

function refuse(name: string, line: number): never {
  throw new RiskGateError("CONFIG_INVALID", `${name}: line ${line} is not a label`, {
    hint: "Write `digest,label` or `decisionId,label` with `fraud` or `legitimate`; `riskgate rehearse digest` makes digests",
  });
}
