import { InvalidArgumentError } from "commander";

/** Parser of an option that is the address of something that speaks HTTP. */
export function httpUrl(text: string): URL {
  const problem = problemOf(text);
  if (problem === undefined) return new URL(text);
  throw new InvalidArgumentError(`It ${problem}.`);
}

/** What is wrong with an address, as the end of a sentence. */
export function problemOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    return "must begin with https:// or http://";
  }
  if (url.username !== "" || url.password !== "") return "must not contain a user or password";
  return url.hash === "" ? undefined : "must not hold a fragment";
}

/** Whether an address is of this machine by its very text, so that nobody else can read along. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.[0-9.]+$/.test(hostname);
}
