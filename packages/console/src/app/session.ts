/**
 * The part of the session that the page stores. The other part is in a cookie that scripts cannot
 * read. Other pages on this machine also send the cookie, but cannot read this part.
 */
const STORED = "riskgate.csrf";

const listeners = new Set<() => void>();

export function csrfToken(): string | null {
  return localStorage.getItem(STORED);
}

export function keepCsrfToken(token: string | null): void {
  if (token === null) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, token);
  for (const listener of listeners) listener();
}

/** Calls the listener when the session begins or ends, in other tabs too. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener("storage", listener);
  };
}
