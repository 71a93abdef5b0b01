import type { SeveralEmails } from "../decision/choose-email.js";
import { countdown } from "../decision/countdown.js";
import type { GateContext } from "../decision/gate-context.js";
import type { GatedRequest, RequestHead } from "../decision/gated-request.js";
import type { CrossSiteCheck } from "../decision/page-origin.js";
import { totalScore } from "../decision/policy.js";
import { routedPath, routeOf } from "../decision/request-route.js";
import type { AttackReading } from "../model/attack.js";
import type { EvidencePair, Fact } from "../model/decision.js";
import type { DeviceStanding } from "../model/devices.js";
import { OVERRIDE, textOf } from "../model/fact.js";
import { dividedReading, type VelocityReading } from "../model/velocity-reading.js";

/** Arguments of a direct call, without an HTTP request. */
export interface Asked {
  readonly path: unknown;
  readonly options: {
    readonly route?: string | undefined;
    readonly scope?: object | undefined;
    readonly signal?: AbortSignal | undefined;
  };
}

/** The request, or the arguments of a direct call. */
interface GateRunSource {
  readonly gated?: GatedRequest;
  readonly isCrossSite?: CrossSiteCheck;
  readonly asked?: Asked;
}

const NO_FACTS: Readonly<Record<string, string>> = Object.freeze({});

/** Evidence of a request that a step decides without lookups. */
const NOT_LOOKED_UP: EvidencePair = Object.freeze({ ip: OVERRIDE, email: OVERRIDE });

export class GateRun implements GateContext {
  readonly gated: GatedRequest | undefined;
  ip: Fact;
  email: Fact;
  /** All emails, if parsers may find several in the body, and the function that chooses one. */
  several: SeveralEmails | undefined;
  /** Velocity readings of these emails. */
  counted: readonly VelocityReading[] | undefined;
  isChoosing = false;
  value: unknown;
  facts: Readonly<Record<string, string>>;
  evidence: EvidencePair;
  score: number | null;
  readonly #asked: Asked | undefined;
  readonly #isCrossSite: CrossSiteCheck | undefined;
  readonly #budgetMs: number;
  readonly #rejectAbove: number;
  #device: DeviceStanding | undefined;
  #left: (() => number) | undefined;
  #exit: AbortController | undefined;
  #onClose: (() => void) | undefined;

  constructor(
    { budgetMs, rejectAbove }: { readonly budgetMs: number; readonly rejectAbove: number },
    ip: Fact,
    email: Fact,
    { gated, asked, isCrossSite }: GateRunSource,
  ) {
    this.gated = gated;
    this.#asked = asked;
    this.#isCrossSite = isCrossSite;
    this.#budgetMs = budgetMs;
    this.#rejectAbove = rejectAbove;
    this.ip = ip;
    this.email = email;
    this.facts = NO_FACTS;
    this.evidence = NOT_LOOKED_UP;
    this.score = null;
  }

  get request(): RequestHead | undefined {
    return this.gated?.request;
  }

  get headers(): RequestHead["headers"] | undefined {
    return this.gated?.request.headers;
  }

  get onlyEmail(): string | undefined {
    return this.several ? undefined : textOf(this.email);
  }

  get crossSite(): boolean {
    return this.gated !== undefined && this.#isCrossSite?.(this.gated.request) === true;
  }

  get scope(): object | undefined {
    return this.gated ? this.gated.request : this.#asked?.options.scope;
  }

  get path(): string | undefined {
    if (this.gated) return routedPath(this.gated);
    const path = this.#asked?.path;
    return typeof path === "string" ? path : undefined;
  }

  get route(): string | undefined {
    return this.gated ? routeOf(this.gated) : this.#asked?.options.route;
  }

  get leftMs(): number {
    return this.#left ? this.#left() : this.#budgetMs;
  }

  /** Starts the budget. Called before the first wait, so a cached decision reads no clock. */
  startClock(): void {
    this.#left ??= countdown(this.#budgetMs);
  }

  /** Aborted when the decision is no longer needed; first use starts watching the client. */
  get signal(): AbortSignal | undefined {
    if (!this.gated) return this.#asked?.options.signal;
    if (!this.#exit) {
      const exit = new AbortController();
      this.#exit = exit;
      this.#onClose = () => exit.abort();
      if (this.gated.response.destroyed) exit.abort();
      else this.gated.response.once("close", this.#onClose);
    }
    return this.#exit.signal;
  }

  /** True if the client disconnected while it was being watched. */
  get hasLostClient(): boolean {
    return this.#exit?.signal.aborted === true;
  }

  end(): void {
    if (this.#onClose) this.gated?.response.off("close", this.#onClose);
  }

  setFact(name: string, value: string): void {
    this.facts = { ...this.facts, [name]: value };
  }

  setDevice(standing: DeviceStanding): void {
    this.#device = standing;
    this.setEvidence(this.evidence);
  }

  addVelocity(reading: VelocityReading): void {
    const earlier = this.evidence.velocity;
    const { adds, sharedAdds = 0, signals } = dividedReading(reading);
    const all = [...(earlier?.signals ?? []), ...signals].sort((a, b) => b.weight - a.weight);
    const names = all.map(({ name }) => name);
    const shared = Math.max(sharedAdds, earlier?.sharedAdds ?? 0);
    const velocity = {
      adds: Math.max(adds, earlier?.adds ?? 0),
      ...(shared > 0 && { sharedAdds: shared }),
      // Several emails may exceed the same limit.
      signals: all.filter(({ name }, at) => names.indexOf(name) === at),
    };
    this.setEvidence({ ...this.evidence, velocity });
  }

  setAttack(attack: AttackReading): void {
    this.evidence = { ...this.evidence, attack };
  }

  setEvidence(evidence: EvidencePair): void {
    this.evidence = this.#device ? { ...evidence, device: this.#device } : evidence;
    this.score = totalScore(evidence, this.#rejectAbove);
  }

  addHeader(name: string, value: string): void {
    this.gated?.addHeader(name, value);
  }
}
