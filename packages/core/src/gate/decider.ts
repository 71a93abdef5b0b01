import type { EvidenceSource } from "../decision/evidence-source.js";
import type { Findings } from "../decision/evidence.js";
import { judge, type Step, stepsWith, type Verdict } from "../decision/step.js";
import { type Awaitable, isThenable } from "../model/awaitable.js";
import type { Decision, EvidencePair } from "../model/decision.js";
import type { GateRun } from "./gate-run.js";
import type { GateSettings } from "./steps.js";

/** Runs a gate's steps for each request. */
export class Decider {
  readonly #enforced: boolean;
  readonly #source: EvidenceSource;
  readonly #identify: readonly Step[];
  readonly #before: readonly Step[];
  readonly #weigh: readonly Step[];
  readonly #judge: readonly Step[];
  readonly #decided: readonly Step[];
  readonly #aborted: readonly Step[];

  /** @param steps In execution order; one of them, the policy, always returns a verdict. */
  constructor({ enforced, source }: GateSettings, steps: readonly Step[]) {
    this.#enforced = enforced;
    this.#source = source;
    this.#identify = stepsWith("identify", steps);
    this.#before = stepsWith("before", steps);
    this.#weigh = stepsWith("weigh", steps);
    this.#judge = stepsWith("judge", steps);
    this.#decided = stepsWith("decided", steps);
    this.#aborted = stepsWith("aborted", steps);
  }

  /**
   * Decides; synchronously if everything is in memory.
   *
   * @throws {RiskGateError} ABORTED, by rejection, if the run's signal fires.
   */
  decide(run: GateRun): Awaitable<Verdict> {
    if (this.#identify.length === 0) return this.#decideByEmail(run);
    const waiting = callAll(this.#identify, "identify", run);
    return waiting ? waiting.then(() => this.#decideByEmail(run)) : this.#decideByEmail(run);
  }

  /** Decides synchronously; if it cannot, returns undefined and counts nothing. */
  peek(run: GateRun): Verdict | undefined {
    if (this.#identify.some(isWaiting) || callAll(this.#identify, "identify", run))
      return undefined;
    const verdict = this.#decide(run, true);
    return isThenable(verdict) ? undefined : verdict;
  }

  /** Creates the decision for a verdict, and passes it to the steps. */
  publish(run: GateRun, { outcome, because, rule, flag }: Verdict): Decision {
    const { score, evidence } = run;
    const id = crypto.randomUUID();
    const made = { id, outcome, enforced: this.#enforced, because, score, ...evidence };
    const decision: Decision =
      rule || flag ? { ...made, ...(rule && { rule }), ...(flag && { flag }) } : made;
    for (const step of this.#decided) step.decided!(decision, run);
    return decision;
  }

  /** Ends the run of a request whose client has disconnected. */
  abort(run: GateRun): void {
    for (const step of this.#aborted) step.aborted!(run);
  }

  #decideByEmail(run: GateRun): Awaitable<Verdict> {
    const chosen = run.several?.choose(run, this.#source, this.#before, this.#weigh, this.#judge);
    return chosen ? chosen.then(() => this.#decide(run)!) : this.#decide(run)!;
  }

  #decide(run: GateRun, peeks = false): Awaitable<Verdict> | undefined {
    for (const step of this.#before) {
      const verdict = step.before!(run);
      if (verdict) return verdict;
    }
    const ip = this.#source.ofIp(run.ip);
    const email = this.#source.ofEmail(run.email);
    if (typeof ip === "string" || typeof email === "string") {
      return peeks ? undefined : this.#lookUp(run, { ip, email });
    }
    if (peeks && this.#weigh.some(isWaiting)) return undefined;
    return this.#conclude(run, { ip, email });
  }

  async #lookUp(run: GateRun, findings: Findings): Promise<Verdict> {
    const { leftMs, scope, signal } = run;
    run.startClock();
    return this.#conclude(run, await this.#source.lookUp(findings, scope, leftMs, signal));
  }

  #conclude(run: GateRun, evidence: EvidencePair): Awaitable<Verdict> {
    run.setEvidence(evidence);
    for (const reading of run.counted ?? []) run.addVelocity(reading);
    const waiting = this.#weigh.length > 0 && callAll(this.#weigh, "weigh", run);
    return waiting ? waiting.then(() => judge(this.#judge, run)!) : judge(this.#judge, run)!;
  }
}

function callAll(
  steps: readonly Step[],
  phase: "identify" | "weigh",
  run: GateRun,
): Promise<unknown> | undefined {
  let waiting: PromiseLike<unknown>[] | undefined;
  for (const step of steps) {
    const result: unknown = step[phase]!(run);
    if (isThenable(result)) (waiting ??= []).push(result);
  }
  if (waiting) run.startClock();
  return waiting && Promise.all(waiting);
}

function isWaiting({ waits }: Step): boolean {
  return waits === true;
}
