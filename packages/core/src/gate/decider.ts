import type { EvidenceSource } from "../decision/evidence-source.js";
import type { Findings } from "../decision/evidence.js";
import type { GateContext } from "../decision/gate-context.js";
import { judge, type Step, type Verdict } from "../decision/step.js";
import { after, type Awaitable, isThenable } from "../model/awaitable.js";
import type { Decision, EvidencePair } from "../model/decision.js";
import type { GateRun } from "./gate-run.js";

/** Passes a request through the steps of a gate. */
export class Decider {
  readonly #source: EvidenceSource;
  readonly #identify: readonly Step[];
  readonly #before: readonly Step[];
  readonly #weigh: readonly Step[];
  readonly #judge: readonly Step[];
  readonly #confirm: readonly Step[];
  readonly #decided: readonly Step[];

  /** @param steps In their order; one of them, the policy, always judges. */
  constructor(source: EvidenceSource, steps: readonly Step[]) {
    this.#source = source;
    this.#identify = steps.filter((step) => step.identify);
    this.#before = steps.filter((step) => step.before);
    this.#weigh = steps.filter((step) => step.weigh);
    this.#judge = steps.filter((step) => step.judge);
    this.#confirm = steps.filter((step) => step.confirm);
    this.#decided = steps.filter((step) => step.decided);
  }

  /**
   * Decides: at once if everything is in memory.
   *
   * @throws {RiskGateError} ABORTED, by rejecting, when the signal of the run ends it.
   */
  decide(run: GateRun): Awaitable<Verdict> {
    const identified = callAll(this.#identify, "identify", run);
    if (!identified) return this.#decideIdentified(run);
    run.startClock();
    return identified.then(() => this.#decideIdentified(run));
  }

  /** Decides if no lookup and no step has to be waited for; counts nothing otherwise. */
  peek(run: GateRun): Verdict | undefined {
    if (this.#identify.some(isWaiting) || callAll(this.#identify, "identify", run))
      return undefined;
    const listed = this.#decideBefore(run);
    if (listed) return listed;
    const findings = this.#read(run);
    if (!isComplete(findings) || this.#weigh.some(isWaiting)) return undefined;
    const verdict = this.#conclude(run, findings);
    return isThenable(verdict) ? undefined : verdict;
  }

  /** Lets the steps ask the client. */
  confirm(run: GateRun, verdict: Verdict): Awaitable<Verdict> {
    let confirmed: Awaitable<Verdict> = verdict;
    for (const step of this.#confirm) {
      confirmed = after(confirmed, (soFar) =>
        after(step.confirm!(run, soFar), (given) => given ?? soFar),
      );
    }
    return confirmed;
  }

  /** Hands the decision to the steps. */
  publish(run: GateRun, decision: Decision): void {
    for (const step of this.#decided) step.decided!(decision, run);
  }

  #decideIdentified(run: GateRun): Awaitable<Verdict> {
    const listed = this.#decideBefore(run);
    if (listed) return listed;
    const findings = this.#read(run);
    return isComplete(findings) ? this.#conclude(run, findings) : this.#lookUp(run, findings);
  }

  #decideBefore(run: GateRun): Verdict | undefined {
    for (const step of this.#before) {
      const verdict = step.before!(run);
      if (verdict) return verdict;
    }
    return undefined;
  }

  #read({ ip, email }: GateRun): Findings {
    return { ip: this.#source.ofIp(ip), email: this.#source.ofEmail(email) };
  }

  async #lookUp(run: GateRun, findings: Findings): Promise<Verdict> {
    const { leftMs, scope, signal } = run;
    run.startClock();
    return this.#conclude(run, await this.#source.lookUp(findings, scope, leftMs, signal));
  }

  #conclude(run: GateRun, evidence: EvidencePair): Awaitable<Verdict> {
    run.setEvidence(evidence);
    const weighed = callAll(this.#weigh, "weigh", run);
    if (!weighed) return judge(this.#judge, run)!;
    run.startClock();
    return weighed.then(() => judge(this.#judge, run)!);
  }
}

/** Calls one phase of the steps; returns a promise if one of them has to be waited for. */
function callAll(
  steps: readonly Step[],
  phase: "identify" | "weigh",
  context: GateContext,
): Promise<unknown> | undefined {
  let waiting: PromiseLike<unknown>[] | undefined;
  for (const step of steps) {
    const result: unknown = step[phase]!(context);
    if (isThenable(result)) (waiting ??= []).push(result);
  }
  return waiting && Promise.all(waiting);
}

function isWaiting({ waits }: Step): boolean {
  return waits === true;
}

function isComplete(findings: Findings): findings is EvidencePair {
  return typeof findings.ip !== "string" && typeof findings.email !== "string";
}
