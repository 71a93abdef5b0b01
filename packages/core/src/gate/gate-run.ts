import { countdown } from "../decision/countdown.js";
import type { GateContext } from "../decision/gate-context.js";
import type { GatedRequest, RequestHead } from "../decision/gated-request.js";
import { totalScore } from "../decision/policy.js";
import type { EvidencePair, Fact } from "../model/decision.js";
import { OVERRIDE } from "../model/fact.js";
import type { VelocityReading } from "../model/velocity-reading.js";

const NO_FACTS: Readonly<Record<string, string>> = Object.freeze({});

/** Evidence of a request that a step decides about without a lookup. */
const NOT_LOOKED_UP: EvidencePair = Object.freeze({ ip: OVERRIDE, email: OVERRIDE });

/** One request on its way through the steps. The subclasses say where it comes from. */
export abstract class GateRun implements GateContext {
  abstract readonly gated: GatedRequest | undefined;
  abstract readonly request: RequestHead | undefined;
  abstract readonly scope: object | undefined;
  abstract readonly path: string | undefined;
  abstract readonly route: string | undefined;
  /** Aborted when the decision is no longer needed. */
  abstract readonly signal: AbortSignal | undefined;

  ip: Fact;
  email: Fact;
  facts: Readonly<Record<string, string>> = NO_FACTS;
  evidence: EvidencePair = NOT_LOOKED_UP;
  score: number | null = null;
  readonly #budgetMs: number;
  #left: (() => number) | undefined;

  constructor(budgetMs: number, ip: Fact, email: Fact) {
    this.#budgetMs = budgetMs;
    this.ip = ip;
    this.email = email;
  }

  get leftMs(): number {
    return this.#left ? this.#left() : this.#budgetMs;
  }

  /** Starts the budget: called before the first wait, so that a decision from memory reads no clock. */
  startClock(): void {
    this.#left ??= countdown(this.#budgetMs);
  }

  setEvidence(evidence: EvidencePair): void {
    this.evidence = evidence;
    this.score = totalScore(evidence);
  }

  setFact(name: string, value: string): void {
    this.facts = { ...this.facts, [name]: value };
  }

  addVelocity({ adds, signals }: VelocityReading): void {
    const earlier = this.evidence.velocity;
    const all = [...(earlier?.signals ?? []), ...signals].sort((a, b) => b.weight - a.weight);
    const velocity = { adds: Math.max(adds, earlier?.adds ?? 0), signals: all };
    this.setEvidence({ ...this.evidence, velocity });
  }

  addHeader(name: string, value: string): void {
    this.gated?.addHeader(name, value);
  }
}
