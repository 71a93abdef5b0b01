import type { AdminAnswer, AdminArguments, AdminRoute } from "@riskgate/api-types";
import { RiskGateError } from "@riskgate/core";
import {
  type AdminConnection,
  checkAdminUrl,
  createNonce,
  openAdminConnection,
} from "./admin-connection.js";
import { socketIn } from "../options/http-url.js";
import { exchange, type HttpAnswer, type HttpQuestion } from "../http/http-exchange.js";

const PREFIX = "/admin/v1";

const TIMEOUT_MS = 30_000;

export interface AdminClient {
  /**
   * Calls one operation: `call("GET /applications/{id}", { parts: { id } })`.
   *
   * @throws {RiskGateError} CONFIG_INVALID for an unknown id; UNAUTHORIZED, BAD_REQUEST,
   * UPSTREAM_STATUS, NETWORK or TIMEOUT
   */
  call<Route extends AdminRoute>(
    route: Route,
    ...question: AdminArguments<Route>
  ): Promise<AdminAnswer<Route>>;
}

/** Larger than a list of a thousand entries or a set of rules. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

const NO_PROOF = "the process that listens there is not the service of the data directory";

/**
 * Creates a client, which connects on the first call.
 * @param proofKey Key of the service. The client sends the token only after the service has proved
 * that it has this key.
 * @throws {RiskGateError} CONFIG_INVALID for plain HTTP to another machine.
 */
export function createAdminClient(url: URL, token: string, proofKey?: string): AdminClient {
  checkAdminUrl(url);
  const server = socketIn(url);
  const path = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  const base = (server === undefined ? path : "http://localhost") + PREFIX;
  const prove = async (connection: AdminConnection, key: string): Promise<void> => {
    const nonce = createNonce();
    const { agent } = connection;
    const answer = await exchange(new URL(`${base}/proof/${nonce}`), {
      method: "GET",
      headers: { accept: "application/json" },
      timeoutMs: TIMEOUT_MS,
      agent,
      server,
    });
    if (connection.isProof(key, nonce, memberOf(answer.text, "proof"))) return;
    throw new RiskGateError("INVALID_RESPONSE", NO_PROOF);
  };
  return {
    async call<Route extends AdminRoute>(route: Route, ...[question]: AdminArguments<Route>) {
      const [method, template] = route.split(" ") as [HttpQuestion["method"], string];
      const { parts, query, body = method === "POST" ? {} : undefined } = question ?? {};
      const path = pathOf(template, parts ?? {}, query ?? {});
      const connection = openAdminConnection(url);
      try {
        if (proofKey !== undefined) await prove(connection, proofKey);
        const answer = await exchange(new URL(base + path), {
          method,
          headers: {
            accept: "application/json",
            authorization: `Bearer ${token}`,
            ...(body && { "content-type": "application/json" }),
          },
          ...(body && { body: Buffer.from(JSON.stringify(body)) }),
          timeoutMs: TIMEOUT_MS,
          maxAnswerBytes: MAX_ANSWER_BYTES,
          agent: connection.agent,
          server,
        });
        if (answer.status >= 200 && answer.status <= 299)
          return parse(answer) as AdminAnswer<Route>;
        throw refusalOf(answer, path);
      } finally {
        connection.close();
      }
    },
  };
}

function pathOf(template: string, parts: object, query: object): string {
  const values = new Map<string, string>(Object.entries(parts));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name)!),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function parse({ text, status }: HttpAnswer): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RiskGateError("INVALID_RESPONSE", `status ${status} without JSON`, {
      hint: "Check that this is the administration URL of the service",
    });
  }
}

function refusalOf({ status, text }: HttpAnswer, path: string): RiskGateError {
  if (status === 401) {
    return new RiskGateError("UNAUTHORIZED", "the service refused the administration token", {
      status,
      hint: "Check RISKGATE_ADMIN_TOKEN, and the administration URL",
    });
  }
  const given = memberOf(text, "details");
  const details = typeof given === "string" ? given : "no details";
  if (status === 403) {
    return new RiskGateError("UNAUTHORIZED", `the service refused: ${details}`, {
      status,
      details,
      hint: "Check the administration URL, and the service's --admin-origin",
    });
  }
  const missing = status === 404 ? missingAt(path) : undefined;
  if (missing && given === "No such resource") {
    const hint = `\`riskgate ${missing.command} list\` shows the ids`;
    return new RiskGateError("CONFIG_INVALID", missing.text, { status, details, hint });
  }
  return status >= 400 && status <= 499
    ? new RiskGateError("BAD_REQUEST", `the service refused: ${details}`, {
        status,
        details,
        hint: hintOf(status),
      })
    : new RiskGateError("UPSTREAM_STATUS", `the service answered ${status}: ${details}`, {
        status,
      });
}

/** Returns the next step for a refusal whose message names the mistake, or for an unknown path. */
function hintOf(status: number): string {
  if (status === 404 || status === 405) {
    return "Check the service's administration URL, and make sure that the service is not older than this command";
  }
  return status === 429
    ? "Wait a minute, and check RISKGATE_ADMIN_TOKEN"
    : "Correct the named value; nothing was changed";
}

const NOUNS: Readonly<Record<string, readonly [noun: string, command: string]>> = {
  applications: ["application", "app"],
  deliveries: ["delivery", "deliveries"],
  events: ["event", "events"],
  incidents: ["incident", "incidents"],
  playbooks: ["playbook", "playbooks"],
};

function missingAt(path: string): { readonly text: string; readonly command: string } | undefined {
  const [, kind = "", id, , inner] = path.replace(/\?.*/, "").split("/");
  const [noun, command] = NOUNS[kind] ?? [];
  if (noun === undefined || command === undefined || id === undefined) return undefined;
  const where = `the service has no ${noun} ${decodeURIComponent(id)}`;
  const text =
    inner === undefined ? where : `${where}, or that has no ${decodeURIComponent(inner)}`;
  return { text, command };
}

/** Reads a member of a JSON object; undefined for other text, such as a proxy's page. */
function memberOf(text: string, name: string): unknown {
  try {
    return (JSON.parse(text) as Readonly<Record<string, unknown>> | null)?.[name];
  } catch {
    return undefined;
  }
}
