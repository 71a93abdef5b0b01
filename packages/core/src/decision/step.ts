import type { Awaitable } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import type { Judged } from "../model/judged.js";
import type { GateContext } from "./gate-context.js";

export interface Verdict extends Pick<Decision, "outcome" | "rule" | "flag"> {
  readonly because: Exclude<Decision["because"], "identifier_invalid">;
  /**
   * Enforces the verdict after the decision is published; returns true if the request may pass. By
   * default, `reject` leads to `onReject` or the default refusal, and any other outcome passes.
   */
  readonly enforce?: (context: GateContext, decision: Decision) => Awaitable<boolean>;
}

/**
 * One check of a gate. All steps finish a phase before any starts the next one; within a phase they
 * run in list order.
 */
export interface Step {
  /** Appears in errors, and as `rule.name` in decisions made by this step. */
  readonly name: string;
  readonly waits?: boolean;
  /** Option that makes this step challenge; it requires `challenge` and `verifyChallenge`. */
  readonly challengedBy?: string | undefined;
  /** Reads facts from the request. */
  identify?(context: GateContext): Awaitable<void>;
  /** Decides without lookups. The first verdict is final, and no evidence is collected. */
  before?(context: GateContext): Verdict | undefined;
  /** Adds evidence, after the lookups. */
  weigh?(context: GateContext): Awaitable<void>;
  /**
   * Evaluates the evidence. Receives the verdict of the previous steps and may return a
   * replacement; undefined keeps it. Must be pure: a rehearsal calls it without a request.
   */
  judge?(judged: Judged, soFar: Verdict | undefined): Verdict | undefined;
  /** Challenges the client before the decision is published; called only if the gate enforces. */
  confirm?(context: GateContext, verdict: Verdict): Awaitable<Verdict | undefined>;
  /** Receives the decision before it is enforced. */
  decided?(decision: Decision, context: GateContext): void;
  /** Called instead of `decided` if the client disconnects first: its request never reaches the handler. */
  aborted?(context: GateContext): void;
}

/** Returns true if the request of a decision does not reach the handler. */
export function isStopped({ outcome, enforced }: Decision): boolean {
  return enforced && (outcome === "challenge" || outcome === "reject");
}

export function stepsWith(phase: keyof Step, steps: readonly Step[]): Step[] {
  return steps.filter((step) => phase in step);
}

export function judge(steps: readonly Step[], judged: Judged): Verdict | undefined {
  let verdict: Verdict | undefined;
  for (const step of steps) verdict = step.judge?.(judged, verdict) ?? verdict;
  return verdict;
}
