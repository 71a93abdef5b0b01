import type { OptionReader } from "../base/options.js";
import type { ProxyTrust } from "./client-address.js";
import type { CrossSiteCheck } from "./page-origin.js";

/** Options that identify the client of a request. */
export interface ReaderSettings<Args extends readonly [unknown, ...unknown[]]> {
  readonly option: "email" | "account";
  /** Advice for bodies in which no email is found. */
  readonly remedy: string;
  readonly selectEmail: ((request: Args[0]) => unknown) | undefined;
  /** Path of the email in the body, if no selector is given. */
  readonly emailPath: readonly string[];
  readonly selectIp: ((request: Args[0]) => unknown) | undefined;
  readonly trusted: ProxyTrust | undefined;
  readonly isCrossSite: CrossSiteCheck;
}

/**
 * Reads an option that is a path in the body or a function.
 * @param nowhere Used as the function if the option is false; by default, false is refused.
 */
export function readPlace(
  options: OptionReader,
  option: "email" | "account",
  { expected, remedy }: { readonly expected: string; readonly remedy: string },
  nowhere?: () => undefined,
): Omit<ReaderSettings<[unknown]>, "selectIp" | "trusted" | "isCrossSite"> {
  const given = options.value(option, "email");
  const isPath = typeof given === "string" && !/(?:^|\.)(?:\.|$)/.test(given);
  const selectEmail = given === false ? nowhere : given;
  if (!isPath && typeof selectEmail !== "function") options.refuse(option, expected, given);
  return {
    option,
    remedy,
    selectEmail: isPath ? undefined : (selectEmail as (request: unknown) => unknown),
    emailPath: isPath ? given.split(".") : [],
  };
}
