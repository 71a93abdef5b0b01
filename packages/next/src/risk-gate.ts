import {
  type BodyLimitOptions,
  copyBody,
  type Decision,
  readAnyBody,
  readBodyLimits,
  readOptions,
  readWebGate,
  type WebGateOptions,
  webGateWith,
  withAddedHeaders,
} from "@riskgate/web/adapter";

/** Options for {@link riskGate}: gate options, whose hooks receive the request, and body limits. */
export interface RiskGateOptions<R extends Request = Request>
  extends WebGateOptions<[request: R]>, BodyLimitOptions {}

/**
 * A route handler behind the gate, which can read the body again. The decision is undefined if
 * `skip` let the request through.
 */
export type RouteHandler<R extends Request, Context> = (
  request: R,
  context: Context,
  decision: Decision | undefined,
) => Response | Promise<Response>;

/**
 * Guards a route handler: it runs for the requests that pass.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * export const POST = riskGate({ lookup, clientAddress }, async (request, _context, decision) =>
 *   Response.json({ watched: decision?.outcome === "flag" }, { status: 201 }),
 * );
 */
export function riskGate<R extends Request, Context>(
  options: RiskGateOptions<R>,
  handler: RouteHandler<R, Context>,
): (request: R, context: Context) => Promise<Response> {
  const { limits, gate } = readOptions("riskGate", options, (given) => ({
    limits: readBodyLimits(given),
    gate: webGateWith(readWebGate<[request: R]>(given)),
  }));
  return async (request, context) => {
    const copy = await copyBody(request, limits);
    if ("answer" in copy) return copy.answer;
    const info = { body: readAnyBody(copy.bytes, request) };
    const { answer, decision } = await gate.guard(request, info, request);
    return answer ?? withAddedHeaders(request, await handler(request, context, decision));
  };
}
