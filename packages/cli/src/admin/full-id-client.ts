import type { AdminAnswer, AdminArguments, AdminRoute } from "@riskgate/api-types";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { AdminClient } from "./admin-client.js";
import { isShortId } from "./short-id.js";

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

/**
 * Creates a client that also accepts the beginning of an id, as lists show it. It looks for the whole
 * id only if the service does not know the given one.
 */
export function acceptShortIds(client: AdminClient): AdminClient {
  return {
    async call<Route extends AdminRoute>(route: Route, ...args: AdminArguments<Route>) {
      const [given = {}] = args as readonly Question[];
      const question = {
        ...given,
        ...(given.query && { query: await withApplication(client, given.query) }),
        ...(given.body && { body: await withApplication(client, given.body) }),
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
        if (id === undefined) throw error;
        return ask({ ...question, parts: { ...parts, id } });
      }
    },
  };
}

/** Completes the application of a filter, for which an unknown id is not an error. */
async function withApplication<T extends object>(client: AdminClient, filter: T): Promise<T> {
  const { applicationId: start } = filter as { readonly applicationId?: unknown };
  const id = typeof start === "string" ? await fullId(client, "applications", start) : undefined;
  return id === undefined ? filter : { ...filter, applicationId: id };
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
  throw new RiskGateError("BAD_REQUEST", `several ${kind} have an id that begins with ${start}`, {
    hint: "Give more digits of the id; with --json, lists show the whole ids",
  });
}
