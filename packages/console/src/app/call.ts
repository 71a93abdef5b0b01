import { csrfToken, keepCsrfToken } from "./session.js";

/** What the service answered instead of what was asked for. */
export class CallError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "CallError";
    this.status = status;
  }
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Calls the administration API with the session of this page; rejects with {@link CallError}. */
export async function call<T>(method: Method, path: string, body?: object): Promise<T> {
  const answer = await ask(method, `/admin/v1${path}`, body);
  // The session has ended, or the service was started again.
  if (answer.status === 401) keepCsrfToken(null);
  return read<T>(answer);
}

/** Reads a document that everybody may read. */
export async function readDocument<T>(path: string): Promise<T> {
  return read<T>(await ask("GET", path));
}

/** Opens a session with the administration token. */
export async function signIn(token: string): Promise<void> {
  const answer = await ask("POST", "/console/session", { token });
  const { csrfToken: opened } = await read<{ csrfToken: string }>(answer);
  keepCsrfToken(opened);
}

/** Ends the session, and forgets it where the service cannot be reached. */
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
