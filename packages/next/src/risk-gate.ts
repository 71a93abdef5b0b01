import {
  createWebGate,
  type Decision,
  fieldsOf,
  parseAnyBody,
  type WebGateOptions,
} from "@riskgate/web/adapter";

/** Options of {@link riskGate}: those of a gate, with hooks that get the request. */
export type RiskGateOptions<R extends Request = Request> = WebGateOptions<[request: R]>;

/**
 * A route handler behind the gate, which can read the body again. The decision is undefined where `skip`
 * let the request through.
 */
export type RouteHandler<R extends Request, Context> = (
  request: R,
  context: Context,
  decision: Decision | undefined,
) => Response | Promise<Response>;

/**
 * Guard a route handler: it runs for the requests that pass.
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
  const gate = createWebGate(options);
  return async (request, context) => {
    const info = { body: await bodyOf(request) };
    const { answer, decision } = await gate.guard(request, info, request);
    return answer ?? handler(request, context, decision);
  };
}

/** The body of a copy, by whichever reading: the handler reads the original, and may not look at its type. */
async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  try {
    const form = /^\s*multipart\/form-data\b/i.test(type ?? "") && (await formOf(request.clone()));
    return form || parseAnyBody(type, await request.clone().text());
  } catch {
    // Its handler learns so from the request itself.
    return undefined;
  }
}

function formOf(copy: Request): Promise<object | undefined> {
  // oxlint-disable-next-line typescript/no-deprecated -- It reads what the handler will read.
  return copy.formData().then(fieldsOf, () => undefined);
}
