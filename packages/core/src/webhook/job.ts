import type { DeliveryElement, IgnoredReason } from "./parse-delivery.js";
import type { RawObject } from "./raw-object.js";
import type { AnyHandler, HandlerContext } from "./handlers.js";

/** A payload that one of the handlers asks for. */
export type Job = DeliveryElement | UnknownPayload;

/** A payload of a later vocabulary, for the handler of the unknown. */
export interface UnknownPayload {
  readonly index: number;
  readonly reason: IgnoredReason;
  readonly type: string;
  readonly raw: RawObject;
}

/** Call the handler of a job, which must be there. */
export function callHandler(
  handlers: ReadonlyMap<string, AnyHandler>,
  job: Job,
  context: HandlerContext,
): unknown {
  return "reason" in job
    ? handlers.get("unknown")!(job.raw, context)
    : handlers.get(job.type)!(job.payload, context);
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
    if ("reason" in job) this.reason = job.reason;
    this.#run = run;
  }

  get signal(): AbortSignal {
    return this.#run.abort.signal;
  }
}
