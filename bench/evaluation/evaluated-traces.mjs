import { createGate, createVelocity } from "@riskgate/core";
import { createMemoryVelocityStore } from "@riskgate/core/velocity";
import { createFakeLookup, createSignUpTrace } from "@riskgate/testing";
import { percent, table } from "../lib/evaluation-table.mjs";

const SEEDS = [1, 2, 3, 4, 5];
const VISITORS = 50_000;
const ATTACK_SHARE = 0.01;

/** @type {ReadonlySet<string>} */
const ATTACKS = new Set(["alias_flood", "network_flood"]);

/**
 * @typedef {object} Judged
 * @property {string} kind
 * @property {string | undefined} outcome
 */

/** Evaluates days of sign-ups with attacks, in which every lookup returns 0. */
export function evaluateTraces() {
  const judged = SEEDS.flatMap((seed) =>
    judge(createSignUpTrace({ seed, visitors: VISITORS, attackShare: ATTACK_SHARE })),
  );
  const kinds = [...new Set(judged.map(({ kind }) => kind))].sort();
  const rows = kinds.map((kind) => {
    const visits = judged.filter((visit) => visit.kind === kind);
    const share = (/** @type {string} */ outcome) =>
      percent(visits.filter((visit) => visit.outcome === outcome).length / visits.length);
    return [
      `${kind.replaceAll("_", " ")}${ATTACKS.has(kind) ? " (attack)" : ""}`,
      visits.length.toLocaleString("en"),
      share("allow"),
      share("flag"),
      share("challenge"),
      share("reject"),
    ];
  });
  return [
    "### Floods of sign-ups",
    table(["Requests of", "Number", "Allowed", "Flagged", "Challenged", "Refused"], rows),
    table(
      ["Outcome", "Precision", "Recall"],
      [
        rates("Refused", judged, ["reject"]),
        rates("Challenged or refused", judged, ["challenge", "reject"]),
        rates("Flagged, challenged or refused", judged, ["flag", "challenge", "reject"]),
      ],
    ),
  ].join("\n\n");
}

/** @param {ReturnType<typeof createSignUpTrace>} trace @returns {Judged[]} */
function judge(trace) {
  let nowMs = 0;
  const store = createMemoryVelocityStore({ maxEntries: 400_000, now: () => nowMs });
  const gate = createGate({
    lookup: createFakeLookup({}, { inMemory: true }),
    velocity: createVelocity({ store }),
    challengeAbove: 60,
  });
  return trace.map((visit) => {
    nowMs = visit.atMs;
    return { kind: visit.kind, outcome: gate.peek(visit)?.outcome };
  });
}

/** @param {string} name @param {readonly Judged[]} judged @param {readonly string[]} outcomes */
function rates(name, judged, outcomes) {
  const caught = judged.filter(({ outcome }) => outcome && outcomes.includes(outcome));
  const attacks = judged.filter(({ kind }) => ATTACKS.has(kind));
  const right = caught.filter(({ kind }) => ATTACKS.has(kind)).length;
  return [name, percent(right / caught.length), percent(right / attacks.length)];
}
