import { fileURLToPath } from "node:url";
import { InvalidArgumentError } from "commander";

export function httpUrl(text: string): URL {
  const problem = problemOf(text);
  if (problem === undefined) return new URL(text);
  throw new InvalidArgumentError(`the URL ${problem}`);
}

/** Parses the URL of an administration: `unix:` and the path of a socket, or a URL of HTTP. */
export function adminUrl(text: string): URL {
  const problem = problemOfAdmin(text);
  if (problem === undefined) return new URL(text);
  throw new InvalidArgumentError(`the URL ${problem}`);
}

const SOCKET = "unix:";

/** Returns the path of the socket that a URL names. */
export function socketIn({ protocol, pathname }: URL): string | undefined {
  return protocol === SOCKET ? fileURLToPath(`file://${pathname}`) : undefined;
}

export function problemOfAdmin(text: string): string | undefined {
  if (!text.startsWith(SOCKET)) return problemOf(text);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPath = url?.href === `${SOCKET}${url?.pathname}` && url?.pathname.startsWith("/");
  return isPath ? undefined : "must be unix: and an absolute path, such as unix:/run/admin.sock";
}

/** Describes the problem of a URL, as the end of a sentence. */
export function problemOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    return "must begin with https:// or http://";
  }
  if (url.username !== "" || url.password !== "") return "must not contain a user or password";
  return url.hash === "" ? undefined : "must not contain a fragment";
}

/** Returns true if a URL names this machine, so that nobody else can read the traffic. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.[0-9.]+$/.test(hostname);
}
