import { destinationOf } from "../address/host-address.js";
import { isOverlong } from "../address/mailbox.js";
import { callHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import { type Awaitable, isThenable } from "../model/awaitable.js";
import type { Fact } from "../model/decision.js";
import { ABSENT, factOf, NOT_GIVEN, UNUSABLE } from "../model/fact.js";
import { isReadings, valueAt } from "./body-readings.js";
import type { SeveralEmails } from "./choose-email.js";
import { cleanAddress, clientAddress } from "./client-address.js";
import type { GatedRequest } from "./gated-request.js";
import type { ReaderSettings } from "./reader-settings.js";
import { createSetUpWarnings } from "./set-up-warnings.js";

/** A request as an adapter supplies it to a gate or a watch. */
export type ReadRequest<Args extends readonly [unknown, ...unknown[]]> = Pick<
  GatedRequest<Args>,
  "args" | "request" | "ip" | "body" | "unsafeTrust"
>;

export interface Identified {
  ip: Fact;
  email: Fact;
  several?: SeveralEmails | undefined;
  /** Milliseconds left for a selector's promise; default: no limit. */
  readonly leftMs?: number;
  /** The value in the email field, of any type, or the list of all that parsers find. */
  value: unknown;
  startClock?(): void;
}

/** Reads the identifiers of a request. Returns a promise only if a selector does. */
export type RequestReader<Args extends readonly [unknown, ...unknown[]]> = (
  gated: ReadRequest<Args>,
  into: Identified,
) => Promise<void> | undefined;

/**
 * Creates the reader of a gate or watch, which warns about a setup in which it reads the wrong
 * data.
 */
export function createRequestReader<Args extends readonly [unknown, ...unknown[]]>(
  { option, remedy, selectEmail, emailPath, selectIp, trusted }: ReaderSettings<Args>,
  report: ErrorHook,
): RequestReader<Args> {
  const warnings = createSetUpWarnings(remedy);
  const select = (
    name: string,
    { leftMs }: Identified,
    call: () => unknown,
    expects: (value: unknown) => Fact = factOf,
  ): Awaitable<Fact> => {
    const limit = leftMs === undefined ? undefined : { ms: leftMs, option: "budgetMs" };
    return callHook(name, call, { report, expects, otherwise: NOT_GIVEN, limit });
  };

  const ipOf = (gated: ReadRequest<Args>, into: Identified): Awaitable<Fact> => {
    if (selectIp) {
      const ofClient = (value: unknown): Fact => destinationOf(value) ?? factOf(value);
      return select("`ip`", into, () => selectIp(gated.args[0]), ofClient);
    }
    const { headers, socket } = gated.request;
    const address = trusted
      ? clientAddress(socket.remoteAddress, headers["x-forwarded-for"], trusted)
      : cleanAddress(gated.ip);
    return destinationOf(address) ?? UNUSABLE;
  };
  const emailOf = (gated: ReadRequest<Args>, into: Identified): Awaitable<Fact> => {
    const factIn = (value: unknown): Fact => {
      into.value = value;
      // A longer text is not parsed, and may conceal any mailbox.
      return typeof value === "string" && isOverlong(value) ? UNUSABLE : factOf(value);
    };
    // A selector's null means no email; a null that the client sent is a value.
    if (selectEmail) {
      return select(`\`${option}\``, into, () => selectEmail(gated.args[0]), factIn);
    }
    const { body } = gated;
    if (isReadings(body)) {
      const { fact, several, values, parsed } = body.emailAt(emailPath);
      into.several = several;
      into.value = values;
      warnings.email(fact === ABSENT, parsed, emailPath);
      return fact;
    }
    const email = valueAt(body, emailPath);
    warnings.email(email === undefined, body, emailPath);
    return email === null ? UNUSABLE : factIn(email);
  };

  return (gated, into) => {
    if (!trusted && !selectIp) warnings.trust(gated);
    if (!selectEmail) warnings.body(gated.request, gated.body);
    const ip = ipOf(gated, into);
    const email = emailOf(gated, into);
    if (isThenable(ip) || isThenable(email)) {
      into.startClock?.();
      return Promise.all([ip, email]).then((facts) => void ([into.ip, into.email] = facts));
    }
    if (typeof ip === "string") warnings.address(ip, gated.request);
    else if (ip === UNUSABLE) warnings.address(undefined, gated.request);
    into.ip = ip;
    into.email = email;
    return undefined;
  };
}
