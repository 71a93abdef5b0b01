import { createWebGate, type WebGateOptions, withAddedHeaders } from "@riskgate/web/adapter";

/** Options for {@link riskProxy}; hooks receive the request. */
export type RiskProxyOptions<R extends Request = Request> = WebGateOptions<[request: R]>;

/**
 * Guards everything that a `proxy.ts` matches, including pages, by client address. The body is not
 * read, so no email is evaluated unless the option `email` returns one.
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
    // The header that `NextResponse.next()` sets to continue.
    const next = new Response(null, { headers: { "x-middleware-next": "1" } });
    const withHeaders = withAddedHeaders(request, next);
    return withHeaders === next ? undefined : withHeaders;
  };
}

/** Replaces the body, which is not read. */
const NO_FIELDS = {};
