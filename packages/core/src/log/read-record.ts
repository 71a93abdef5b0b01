import { parseShallowJson } from "../base/shallow-json.js";
import { isScore } from "../model/score.js";
import { BECAUSE, FAULTS, OUTCOMES, SKIPPED_BECAUSE } from "../model/decision.js";
import { isFlagOutcomes } from "../model/flag-outcomes.js";
import { FLAG_NAMES } from "../model/flags.js";
import { isAttackReading } from "../model/attack.js";
import { DEVICE_STANDINGS } from "../model/devices.js";
import type { DecisionRecord, RecordedEvidence } from "./decision-record.js";
import { isVelocityReading } from "../model/velocity-reading.js";

type Members = Readonly<Record<string, unknown>>;

const REASONS: ReadonlySet<unknown> = new Set(BECAUSE);
const KNOWN_FAULTS: ReadonlySet<unknown> = new Set(FAULTS);
const WHYS: ReadonlySet<unknown> = new Set(SKIPPED_BECAUSE);
const SOURCES: ReadonlySet<unknown> = new Set(["live", "cache", "stale"]);
const KNOWN_OUTCOMES: ReadonlySet<unknown> = new Set(OUTCOMES);
const STANDINGS: ReadonlySet<unknown> = new Set(DEVICE_STANDINGS);
const FLAGS: ReadonlySet<unknown> = new Set(FLAG_NAMES);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DIGEST = /^[0-9a-f]{32}$/;

/** A UUID in records of a gate; other callers of the service choose their own ids. */
const DECISION_ID = /^[\w.:-]{1,64}$/;

/**
 * Parses one line of a log.
 *
 * @returns Undefined for any line that is not a record of a known version. Unknown members are
 * preserved. Texts are untrusted: escape them for display.
 */
export function parseDecisionRecord(line: string): DecisionRecord | undefined {
  let value: unknown;
  try {
    value = parseShallowJson(line);
  } catch {
    return undefined;
  }
  return isRecord(value) ? value : undefined;
}

/** Returns true if a value, such as an element of a report, is a record. */
export function isDecisionRecord(value: unknown): value is DecisionRecord {
  return isRecord(value);
}

function isRecord(value: unknown): value is DecisionRecord {
  if (!isObject(value)) return false;
  const { v, at, route, outcome, enforced, because, score, ip, email, policy, rule } = value;
  const { id, velocity, device, flag, attack } = value;
  return (
    v === 1 &&
    (id === undefined || (typeof id === "string" && DECISION_ID.test(id))) &&
    typeof at === "string" &&
    INSTANT.test(at) &&
    (route === null || typeof route === "string") &&
    KNOWN_OUTCOMES.has(outcome) &&
    typeof enforced === "boolean" &&
    REASONS.has(because) &&
    (score === null || isScore(score)) &&
    isEvidence(ip) &&
    isEvidence(email) &&
    isPolicy(policy) &&
    (velocity === undefined || isVelocityReading(velocity)) &&
    (flag === undefined || FLAGS.has(flag)) &&
    (rule === undefined || typeof rule === "string") &&
    (device === undefined || STANDINGS.has(device)) &&
    (attack === undefined || isAttackReading(attack))
  );
}

function isEvidence(value: unknown): value is RecordedEvidence {
  if (!isObject(value)) return false;
  const { state, digest, outcome } = value;
  if (digest !== undefined && !(typeof digest === "string" && DIGEST.test(digest))) return false;
  switch (state) {
    case "scored":
      return isScore(value["score"]) && SOURCES.has(value["source"]) && isFlags(value["flags"]);
    case "skipped":
      return WHYS.has(value["why"]) && (outcome === undefined || KNOWN_OUTCOMES.has(outcome));
    default:
      return state === "failed" && KNOWN_FAULTS.has(value["fault"]) && KNOWN_OUTCOMES.has(outcome);
  }
}

function isFlags(value: unknown): boolean {
  return Array.isArray(value) && value.every((flag) => typeof flag === "string");
}

function isPolicy(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { flagAbove, rejectAbove, challengeAbove = rejectAbove, outcomes, own } = value;
  const isOrdered =
    isScore(flagAbove) &&
    isScore(challengeAbove) &&
    isScore(rejectAbove) &&
    flagAbove <= challengeAbove &&
    challengeAbove <= rejectAbove;
  const isUsable = outcomes === undefined || isFlagOutcomes(outcomes);
  return isOrdered && isUsable && (own === undefined || own === true);
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
