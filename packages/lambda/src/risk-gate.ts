import {
  createWebGate,
  type Decision,
  readAnyBody,
  type WebGateOptions,
  withAddedHeaders,
} from "@riskgate/web/adapter";
import type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";
import { firstOf } from "./read-event.js";
import { receiveEvent } from "./receive-event.js";
import { withHeaders } from "./write-result.js";

/**
 * Options for {@link riskGate}. Hooks receive the event converted to a `Request`, followed by the
 * original event.
 */
export type RiskGateOptions = WebGateOptions<[request: Request, event: LambdaEvent]>;

/** A handler behind the gate; the decision is undefined if `skip` let the request through. */
export type GatedHandler<Event, Context, Result> = (
  event: Event,
  context: Context,
  decision: Decision | undefined,
) => Promise<Result>;

/**
 * Guards a handler: it runs for the requests that pass.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * export const handler = riskGate({ lookup }, async (event, context, decision) => {
 *   return { statusCode: 201, body: JSON.stringify({ watched: decision?.outcome === "flag" }) };
 * });
 */
export function riskGate<Event extends LambdaEvent, Context extends LambdaContext, Result>(
  options: RiskGateOptions,
  handler: GatedHandler<Event, Context, Result>,
): (event: Event, context: Context) => Promise<Result | LambdaResult> {
  const gate = createWebGate(options);
  return async (event, context) => {
    let decision: Decision | undefined;
    let added = new Headers();
    const refused = await receiveEvent(event, context, async (read) => {
      const { request, remoteAddress, route, bytes } = firstOf(event, read);
      const info = { remoteAddress, route, body: readAnyBody(bytes, request) };
      const passage = await gate.guard(request, info, request, event);
      decision = passage.decision;
      added = withAddedHeaders(request, new Response(null)).headers;
      return passage.answer;
    });
    return refused ?? withHeaders(event, await handler(event, context, decision), added);
  };
}
