import type { AdminAnswer, AdminQuestion, AdminRoute } from "@riskgate/api-types";
import { csrfToken, keepCsrfToken } from "./session.js";

/** The service refused a call, or could not be reached. */
export class CallError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "CallError";
    this.status = status;
  }
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Calls one operation of the administration API with the session of this page:
 * `call("GET /applications/{id}", { parts: { id } })`. Rejects with {@link CallError}.
 */
export async function call<Route extends AdminRoute>(
  route: Route,
  { parts, query, body }: AdminQuestion<Route>,
): Promise<AdminAnswer<Route>> {
  const [method, template] = route.split(" ") as [Method, string];
  const sent = body ?? (method === "POST" ? {} : undefined);
  const answer = await ask(method, `/admin/v1${pathOf(template, parts ?? {}, query ?? {})}`, sent);
  // The session has ended, or the service has restarted.
  if (answer.status === 401) keepCsrfToken(null);
  return read(answer);
}

/** Returns the path of an operation with its encoded parts, and its query without empty members. */
function pathOf(template: string, parts: object, query: object): string {
  const values = new Map<string, string>(Object.entries(parts));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name)!),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

export async function readDocument<T>(path: string): Promise<T> {
  return read<T>(await ask("GET", path));
}

export async function signIn(token: string): Promise<void> {
  const answer = await ask("POST", "/console/session", { token });
  const { csrfToken: opened } = await read<{ csrfToken: string }>(answer);
  keepCsrfToken(opened);
}

/** Ends the session, and forgets it even if the service cannot be reached. */
export async function signOut(): Promise<void> {
  await ask("DELETE", "/console/session").catch(() => undefined);
  keepCsrfToken(null);
}

async function ask(method: Method, path: string, body?: object): Promise<Response> {
  const token = csrfToken();
  try {
    return await fetch(path, {
      method,
      credentials: "same-origin",
      headers: {
        ...(token !== null && { "x-csrf-token": token }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new CallError(0, "The service cannot be reached");
  }
}

async function read<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text) as T;
  throw new CallError(answer.status, reasonIn(text) ?? `The service answered ${answer.status}`);
}

function reasonIn(text: string): string | undefined {
  try {
    const { details } = JSON.parse(text) as { readonly details?: unknown };
    return typeof details === "string" ? details : undefined;
  } catch {
    return undefined;
  }
}
