import type { GatedRequest, RequestHead } from "../decision/gated-request.js";
import { routedPath, routeOf } from "../decision/request-route.js";
import { ABSENT } from "../model/fact.js";
import { GateRun } from "./gate-run.js";

/** A request in front of a route. Its identifiers are set once they are known. */
export class RequestRun<Args extends readonly [unknown, ...unknown[]]> extends GateRun {
  readonly gated: GatedRequest<Args>;
  #exit: AbortController | undefined;
  readonly #onClose = (): void => this.#exit?.abort();

  constructor(budgetMs: number, gated: GatedRequest<Args>) {
    super(budgetMs, ABSENT, ABSENT);
    this.gated = gated;
  }

  get request(): RequestHead {
    return this.gated.request;
  }

  get scope(): object {
    return this.gated.request;
  }

  get path(): string | undefined {
    return routedPath(this.gated);
  }

  get route(): string {
    return routeOf(this.gated);
  }

  /** Aborted when the client disconnects, which is watched from the first use to {@link end}. */
  get signal(): AbortSignal {
    if (!this.#exit) {
      this.#exit = new AbortController();
      this.gated.response.once("close", this.#onClose);
    }
    return this.#exit.signal;
  }

  /** True if the client has disconnected while it was watched. */
  get isAborted(): boolean {
    return this.#exit?.signal.aborted ?? false;
  }

  end(): void {
    this.gated.response.off("close", this.#onClose);
  }
}
