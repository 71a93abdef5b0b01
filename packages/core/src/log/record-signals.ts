import type { DecisionRecord } from "./decision-record.js";

type Side = "ip" | "email";

const SIDES: readonly Side[] = ["ip", "email"];

/**
 * Returns the causes of a decision: flags of the identifier with the higher score, or its score if
 * it has no flags and is above 0; subjects over their limit; and missing evidence.
 */
export function signalsOf(record: DecisionRecord): string[] {
  const highest = Math.max(...SIDES.map((side) => scoreOf(record, side)));
  const velocity = record.velocity?.signals.map(({ name }) => `velocity ${name}`) ?? [];
  const behind = SIDES.flatMap((side) => {
    const evidence = record[side];
    switch (evidence.state) {
      case "scored":
        if (evidence.score !== highest) return [];
        return evidence.flags.length === 0
          ? evidence.score > 0
            ? [`${side} score alone`]
            : []
          : evidence.flags.map((flag) => `${side} ${flag}`);
      case "failed":
        return [`${side} ${evidence.fault}`];
      default:
        return evidence.why === "unusable" ? [`${side} unusable`] : [];
    }
  });
  return [...velocity, ...behind];
}

function scoreOf(record: DecisionRecord, side: Side): number {
  const evidence = record[side];
  return evidence.state === "scored" ? evidence.score : -1;
}

/** Returns all signals of a decision, whether or not they caused it. */
export function allSignalsOf(record: DecisionRecord): ReadonlySet<string> {
  const flags = SIDES.flatMap((side) => {
    const evidence = record[side];
    return evidence.state === "scored" ? evidence.flags.map((flag) => `${side} ${flag}`) : [];
  });
  const device = record.device === undefined ? [] : [`device ${record.device}`];
  const rule = record.rule === undefined ? [] : [`rule ${record.rule}`];
  const attack = record.attack === undefined ? [] : [`attack ${record.attack.sign}`];
  return new Set([...signalsOf(record), ...flags, ...device, ...attack, ...rule]);
}
