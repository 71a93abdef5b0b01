import { createWebGate, type WebGateOptions, withAddedHeaders } from "@riskgate/web/adapter";

/** Options of {@link riskProxy}: those of a gate, with hooks that get the request. */
export type RiskProxyOptions<R extends Request = Request> = WebGateOptions<[request: R]>;

/**
 * Guards all that a `proxy.ts` matches, pages too, by the address of the client: the body is left to the
 * route, so that no email is judged unless the option `email` names one.
 *
 * @returns Undefined for a request that passes, unless a step adds a header; Next.js continues.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * export const proxy = riskProxy({ lookup, clientAddress });
 * export const config = { matcher: "/account/:path*" };
 */
export function riskProxy<R extends Request>(
  options: RiskProxyOptions<R>,
): (request: R) => Promise<Response | undefined> {
  const gate = createWebGate(options);
  return async (request) => {
    const { answer } = await gate.guard(request, { body: NO_FIELDS }, request);
    if (answer) return answer;
    // The header by which `NextResponse.next()` continues.
    const next = new Response(null, { headers: { "x-middleware-next": "1" } });
    const withHeaders = withAddedHeaders(request, next);
    return withHeaders === next ? undefined : withHeaders;
  };
}

/** Placeholder for the body, which is not read here. */
const NO_FIELDS = {};
