import { type Awaitable, isThenable } from "../model/awaitable.js";
import type { ErrorHook } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { OptionReader } from "../base/options.js";
import {
  type Velocity,
  VELOCITY_SUBJECTS,
  type VelocityFacts,
  type VelocityReading,
  type VelocitySignal,
} from "../model/velocity.js";
import type { EvidencePair } from "../model/decision.js";
import { settled } from "../decision/hook-run.js";

/** Velocity of a gate. */
export interface VelocityOption {
  /**
   * Counts requests by mailbox, address, network, domain and autonomous system, and adds to the score
   * what comes too often: what `createVelocity` makes.
   */
  readonly velocity?: Velocity;
}

/** What a gate makes of its velocity. */
export interface VelocityStep {
  /** True where it answers at once, without a promise. */
  readonly isSync: boolean;
  /**
   * What comes too often, once for each scope. Never throws and never rejects: without an answer it is
   * what this process has counted itself, and the failure is reported.
   *
   * @param leftMs What is left of the gate's budget.
   */
  assess(
    facts: VelocityFacts,
    evidence: EvidencePair,
    scope: object | undefined,
    leftMs: number,
  ): Awaitable<VelocityReading | undefined>;
}

type Reading = Awaitable<VelocityReading | undefined>;

/** What was found about one request, by whom it was about: a second gate does not count it again. */
const found = new WeakMap<object, WeakMap<Velocity, Map<string, Reading>>>();

function readingsOf(scope: object, velocity: Velocity): Map<string, Reading> {
  const byVelocity = found.get(scope) ?? new WeakMap<Velocity, Map<string, Reading>>();
  found.set(scope, byVelocity);
  const readings = byVelocity.get(velocity) ?? new Map<string, Reading>();
  byVelocity.set(velocity, readings);
  return readings;
}

/**
 * Read the option `velocity`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for anything but a velocity.
 */
export function readVelocityStep(
  options: OptionReader,
  report: ErrorHook,
): VelocityStep | undefined {
  const expected = "a velocity, such as createVelocity() makes";
  const velocity = options.object<Velocity>("velocity", ["count", "read"], expected);
  if (!velocity) return undefined;

  const failed = (cause: unknown, facts: VelocityFacts): VelocityReading | undefined => {
    const own = new RiskGateError("HOOK_FAILED", "`velocity` failed", { cause });
    report(isRiskGateError(cause) ? cause : own);
    try {
      return checked(velocity.readAlone?.(facts));
    } catch {
      return undefined;
    }
  };
  const ask = (facts: VelocityFacts, leftMs: number): Awaitable<VelocityReading | undefined> => {
    try {
      const isCounted = velocity.counts === "signups";
      const answer: unknown = isCounted ? velocity.count(facts) : velocity.read(facts);
      if (!isThenable(answer)) return checked(answer);
      // What comes later than the budget is counted all the same.
      const inTime = settled(answer, "velocity", { ms: leftMs, option: "budgetMs" });
      return inTime.then(checked).catch((cause: unknown) => failed(cause, facts));
    } catch (cause) {
      return failed(cause, facts);
    }
  };

  return {
    isSync: velocity.isSync,
    assess({ email, ip }, evidence, scope, leftMs) {
      const readings = scope && readingsOf(scope, velocity);
      const who = `${ip ?? ""} ${email ?? ""}`;
      if (readings?.has(who)) return readings.get(who);
      const asn = evidence.ip.state === "scored" ? evidence.ip.assessment.asn : undefined;
      const answer = ask({ email, ip, ...(typeof asn === "number" && { asn }) }, leftMs);
      readings?.set(who, answer);
      return answer;
    },
  };
}

/** A velocity of the application may answer anything: anything but points must not become a score. */
function checked(answer: unknown): VelocityReading | undefined {
  if (answer === undefined) return undefined;
  const { adds, signals } = (answer ?? {}) as Partial<VelocityReading>;
  if (isPoints(adds) && Array.isArray(signals) && signals.every(isSignal)) return { adds, signals };
  throw new TypeError("expected `adds` from 0 to 100 with its `signals`, or undefined");
}

function isPoints(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 100;
}

function isSignal(value: unknown): value is VelocitySignal {
  const { name, count, weight } = (value ?? {}) as Partial<VelocitySignal>;
  const isKnown = VELOCITY_SUBJECTS.some((subject) => subject === name);
  return isKnown && Number.isSafeInteger(count) && isPoints(weight);
}
