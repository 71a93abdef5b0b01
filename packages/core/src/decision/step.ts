import type { Awaitable } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import type { Judged } from "../model/judged.js";
import type { GateContext } from "./gate-context.js";

/** Outcome of a step, with its reason. */
export interface Verdict extends Pick<Decision, "outcome" | "because" | "rule"> {
  /**
   * Carries the verdict out after the decision is published; returns true if the request may pass. By
   * default a `reject` is answered by `onReject` or the default refusal, and anything else passes.
   */
  readonly enforce?: (context: GateContext, decision: Decision) => Awaitable<boolean>;
}

/**
 * One concern of a gate. All steps finish a phase before the first step starts the next one; within a
 * phase they run in the order of the list.
 */
export interface Step {
  /** Named in errors, and as `rule.name` of its decisions. */
  readonly name: string;
  /** True if `identify` or `weigh` may return a promise; then `gate.peek` does not call them. */
  readonly waits?: boolean;
  /** Option that makes this step challenge; without `challenge` and `verifyChallenge` it is refused. */
  readonly challengedBy?: string | undefined;
  /** Reads facts from the request. */
  identify?(context: GateContext): Awaitable<void>;
  /** Decides without a lookup. The first verdict is final, and no evidence is collected. */
  before?(context: GateContext): Verdict | undefined;
  /** Adds evidence, after the lookups. */
  weigh?(context: GateContext): Awaitable<void>;
  /**
   * Judges the evidence. Receives the verdict of the steps before it, and returns the verdict that
   * replaces it; undefined keeps it. Must be pure: a rehearsal calls it without a request.
   */
  judge?(judged: Judged, soFar: Verdict | undefined): Verdict | undefined;
  /** Asks the client before the decision is published; only in front of a route that enforces. */
  confirm?(context: GateContext, verdict: Verdict): Awaitable<Verdict | undefined>;
  /** Receives the decision before it is enforced. */
  decided?(decision: Decision, context: GateContext): void;
}

/** Returns the steps that have a phase. */
export function stepsWith(phase: keyof Step, steps: readonly Step[]): Step[] {
  return steps.filter((step) => phase in step);
}

/** Returns the verdict of all steps that judge. */
export function judge(steps: readonly Step[], judged: Judged): Verdict | undefined {
  let verdict: Verdict | undefined;
  for (const step of steps) verdict = step.judge?.(judged, verdict) ?? verdict;
  return verdict;
}
