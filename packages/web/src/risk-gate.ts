import type { Decision } from "@riskgate/core/web";
import { createWebGate, type WebGateOptions } from "./web-gate.js";
import type { ClientInfo } from "./web-visit.js";

/** Options for {@link riskGate}; hooks receive the request and its info. */
export type RiskGateOptions = WebGateOptions<[request: Request, info: ClientInfo]>;

/**
 * Decides a request: returns the response that refuses or challenges it, or the decision if it
 * passes; undefined if `skip` let it through.
 */
export type Guard = (
  request: Request,
  info?: ClientInfo,
) => Promise<Response | Decision | undefined>;

/**
 * Guards a route.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * const guard = riskGate({ lookup });
 * const passed = await guard(request, { remoteAddress, body: await request.json() });
 * if (passed instanceof Response) return passed;
 */
export function riskGate(options: RiskGateOptions): Guard {
  const gate = createWebGate(options);
  return async function guard(request, info = {}) {
    const { answer, decision } = await gate.guard(request, info, request, info);
    return answer ?? decision;
  };
}
