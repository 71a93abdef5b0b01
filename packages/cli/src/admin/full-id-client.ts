import type { AdminAnswer, AdminArguments, AdminRoute } from "@riskgate/api-types";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { AdminClient } from "./admin-client.js";
import { isShortId, shortIds } from "./short-id.js";

interface Listed {
  /** Digits of a whole id. */
  readonly digits: number;
  readonly list: (client: AdminClient) => Promise<object>;
}

const NEWEST = { query: { limit: 1000 } };

/** Lists in which the beginning of an id is looked for, by the first part of a path. */
const LISTS: Readonly<Record<string, Listed>> = {
  applications: { digits: 24, list: (client) => client.call("GET /applications") },
  deliveries: { digits: 32, list: (client) => client.call("GET /deliveries", NEWEST) },
  events: { digits: 32, list: (client) => client.call("GET /events", NEWEST) },
  incidents: { digits: 32, list: (client) => client.call("GET /incidents", NEWEST) },
  playbooks: { digits: 32, list: (client) => client.call("GET /playbooks") },
};

interface Question {
  readonly parts?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
}

/** Applications that an error names. */
const MAX_NAMED = 5;

/**
 * Creates a client that also accepts the beginning of an id, as lists show it. It looks for the whole
 * id only if the service does not know the given one. The application of a filter must exist.
 */
export function acceptShortIds(client: AdminClient): AdminClient {
  const checked = new Map<string, Promise<string>>();
  /** Completes the application of a filter, for which the service does not refuse an unknown id. */
  const withApplication = async <T extends object>(filter: T): Promise<T> => {
    const { applicationId: start } = filter as { readonly applicationId?: unknown };
    if (typeof start !== "string") return filter;
    const found = checked.get(start) ?? findApplication(client, start);
    checked.set(start, found);
    return { ...filter, applicationId: await found };
  };
  return {
    async call<Route extends AdminRoute>(route: Route, ...args: AdminArguments<Route>) {
      const [given = {}] = args as readonly Question[];
      const question = {
        ...given,
        ...(given.query && { query: await withApplication(given.query) }),
        ...(given.body && { body: await withApplication(given.body) }),
      };
      const ask = (asked: Question): Promise<AdminAnswer<Route>> =>
        client.call(route, ...([asked] as unknown as AdminArguments<Route>));
      try {
        return await ask(question);
      } catch (error) {
        const { parts } = question;
        if (!isRiskGateError(error) || error.status !== 404 || parts?.["id"] === undefined)
          throw error;
        const [, kind = ""] = route.split("/");
        const id = await fullId(client, kind, parts["id"]);
        if (id === undefined) throw await explain(client, kind, parts, error);
        return ask({ ...question, parts: { ...parts, id } });
      }
    },
  };
}

/**
 * Returns the whole id of an application.
 * @throws {RiskGateError} CONFIG_INVALID, with the applications that exist, if it is unknown.
 */
export async function findApplication(client: AdminClient, start: string): Promise<string> {
  const { applications } = await client.call("GET /applications");
  if (applications.some(({ id }) => id === start)) return start;
  const id = await fullId(client, "applications", start);
  if (id === undefined) throw unknownApplication(start, applications);
  return id;
}

function unknownApplication(
  start: string,
  applications: readonly { readonly id: string; readonly name: string }[],
): RiskGateError {
  const ids = shortIds(applications.map(({ id }) => id));
  const named = applications.slice(0, MAX_NAMED).map(({ name }, at) => `${name} (${ids[at]})`);
  const hint =
    named.length === 0
      ? "It has none: create one with `riskgate app create`"
      : `It has ${named.join(", ")}; \`riskgate app list\` shows all`;
  return new RiskGateError("CONFIG_INVALID", `the service has no application ${start}`, { hint });
}

/** Names what exists instead of an unknown application or key. */
async function explain(
  client: AdminClient,
  kind: string,
  { id = "", keyId }: Readonly<Record<string, string>>,
  error: RiskGateError,
): Promise<RiskGateError> {
  if (kind !== "applications") return error;
  const listed = await client.call("GET /applications").catch(() => undefined);
  if (listed === undefined) return error;
  if (listed.applications.every((one) => one.id !== id)) {
    return unknownApplication(id, listed.applications);
  }
  if (keyId === undefined) return error;
  return new RiskGateError("CONFIG_INVALID", `application ${id} has no key ${keyId}`, {
    hint: `\`riskgate app show ${id}\` lists its keys`,
  });
}

async function fullId(
  client: AdminClient,
  kind: string,
  start: string,
): Promise<string | undefined> {
  const listed = LISTS[kind];
  if (listed === undefined || !isShortId(start, listed.digits)) return undefined;
  const [items] = Object.values(await listed.list(client)) as [readonly { id: string }[]];
  const [found, ...others] = items.filter(({ id }) => id.startsWith(start));
  if (others.length === 0) return found?.id;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `several ${kind} have an id that begins with ${start}`,
    {
      hint: "Give more digits of the id; with --json, lists show the whole ids",
    },
  );
}
