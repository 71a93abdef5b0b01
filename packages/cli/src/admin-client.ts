import { RiskGateError } from "@riskgate/core";
import { exchange, type HttpAnswer, type HttpQuestion } from "./http-exchange.js";

/** Where the administration API is. */
const PREFIX = "/admin/v1";

const TIMEOUT_MS = 30_000;

/** Calls the administration API of a service. */
export interface AdminClient {
  /**
   * @param path Behind the prefix, its parts encoded.
   * @returns The JSON of the answer, which the caller knows the shape of.
   * @throws {RiskGateError} UNAUTHORIZED, BAD_REQUEST, UPSTREAM_STATUS, NETWORK or TIMEOUT
   */
  call(method: HttpQuestion["method"], path: string, body?: object): Promise<unknown>;
}

/** Make a client; nothing is connected before the first call. */
export function createAdminClient(url: URL, token: string): AdminClient {
  const base = `${url.origin}${url.pathname.replace(/\/+$/, "")}${PREFIX}`;
  return {
    async call(method, path, body) {
      const answer = await exchange(new URL(base + path), {
        method,
        headers: {
          accept: "application/json",
          authorization: `Bearer ${token}`,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: Buffer.from(JSON.stringify(body)) }),
        timeoutMs: TIMEOUT_MS,
      });
      if (answer.status >= 200 && answer.status <= 299) return parse(answer);
      throw refusalOf(answer);
    },
  };
}

function parse({ text, status }: HttpAnswer): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RiskGateError("INVALID_RESPONSE", `status ${status} without JSON`, {
      hint: "Check that the address is that of the service",
    });
  }
}

function refusalOf({ status, text }: HttpAnswer): RiskGateError {
  if (status === 401 || status === 403) {
    return new RiskGateError("UNAUTHORIZED", "the service refused the administration token", {
      status,
      hint: "Check RISKGATE_ADMIN_TOKEN, and that administration is allowed from this machine",
    });
  }
  const details = detailsOf(text) ?? "no details";
  return status >= 400 && status <= 499
    ? new RiskGateError("BAD_REQUEST", `the service refused: ${details}`, {
        status,
        details,
        hint: "Check the id and the options",
      })
    : new RiskGateError("UPSTREAM_STATUS", `the service answered ${status}: ${details}`, {
        status,
      });
}

function detailsOf(text: string): string | undefined {
  try {
    const { details } = JSON.parse(text) as { details?: unknown };
    return typeof details === "string" ? details : undefined;
  } catch {
    // A proxy may answer in its own words.
    return undefined;
  }
}
