import type { Decision } from "@riskgate/core";
import type { RawAnswer } from "../http/raw-answer.js";
import { rawRequest } from "../http/raw-request.js";
import type { GatePlan, GatePlanOptions } from "./adapter-harness.js";
import { JSON_TYPE, type Lines } from "./known.js";

export const SIGN_UP = "/signup";

/** Trusts the peer of the checks, so that a header chooses the client address. */
export const BELIEVE_PEER = { trustedProxies: ["127.0.0.0/8"] } as const;

export function signUp(
  port: number,
  { email, ip, more = [] }: { email?: unknown; ip?: string; more?: Lines } = {},
): Promise<RawAnswer> {
  const from: Lines = ip === undefined ? [] : [["X-Forwarded-For", ip]];
  const headers = [JSON_TYPE, ...from, ...more];
  return rawRequest(port, { path: SIGN_UP, headers, body: JSON.stringify({ email }) });
}

/**
 * Plans one gated route that collects the decisions of its requests. Its budget is long, so that a
 * busy machine does not look like an outage.
 */
export function gated(
  options: GatePlanOptions,
  decisions: Decision[] = [],
): { readonly gates: readonly [GatePlan] } {
  const handler = (decision: Decision): void => void decisions.push(decision);
  return { gates: [{ path: SIGN_UP, options: { budgetMs: 60_000, ...options }, handler }] };
}
