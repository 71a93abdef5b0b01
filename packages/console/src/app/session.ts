/**
 * The half of the session that the page keeps; the browser keeps the other one in a cookie that no
 * script can read. Other pages of this machine, which see the cookie, do not see this.
 */
const STORED = "riskgate.csrf";

const listeners = new Set<() => void>();

export function csrfToken(): string | null {
  return localStorage.getItem(STORED);
}

/** Keeps the token of a new session, or forgets that of one that has ended. */
export function keepCsrfToken(token: string | null): void {
  if (token === null) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, token);
  for (const listener of listeners) listener();
}

/** Calls the listener when the session begins or ends, in another tab as well. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener("storage", listener);
  };
}
