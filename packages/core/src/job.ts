import type { IgnoredReason } from "./parse-delivery.js";
import type { RawObject } from "./raw-object.js";
import type { AnyHandler, HandlerContext } from "./webhook-handlers.js";

/** One handler call that a delivery asks for. */
export interface Job {
  readonly index: number;
  /** Identity for the seen store; without it the job runs whatever ran before. */
  readonly key: string | undefined;
  readonly handler: AnyHandler;
  readonly payload: unknown;
  readonly raw: RawObject;
  /** Why the payload goes to the handler of the unknown. */
  readonly reason?: IgnoredReason;
}

/** What a handler is told of its job. */
export class JobContext implements HandlerContext {
  readonly secretId: string;
  readonly index: number;
  readonly raw: RawObject;
  declare readonly reason?: IgnoredReason;
  readonly #run: { readonly abort: AbortController };

  constructor(secretId: string, job: Job, run: { readonly abort: AbortController }) {
    this.secretId = secretId;
    this.index = job.index;
    this.raw = job.raw;
    if (job.reason !== undefined) this.reason = job.reason;
    this.#run = run;
  }

  get signal(): AbortSignal {
    return this.#run.abort.signal;
  }
}
