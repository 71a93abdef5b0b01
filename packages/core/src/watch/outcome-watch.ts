import { mailboxesIn, usableEmail } from "../address/mailbox.js";
import { callHook, type HookCall, hookError } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import { MAX_EMAILS } from "../decision/body-readings.js";
import { cleanAddress } from "../decision/client-address.js";
import { perRequest } from "../decision/per-request.js";
import {
  createRequestReader,
  type Identified,
  type ReadRequest,
} from "../decision/request-reader.js";
import { ABSENT, textOf } from "../model/fact.js";
import type { CookieRequest, Devices, DeviceStanding } from "../model/devices.js";
import type { Velocity, VelocityFacts } from "../model/velocity.js";
import type { Reporter } from "../report/reporter.js";
import { successOf } from "./login-status.js";
import type { LoginWatchSettings } from "./login-watch-options.js";

/** A request whose outcome is reported, in terms of all frameworks. */
interface WatchedLogin<Subject> extends ReadRequest<readonly [Subject, ...unknown[]]> {
  /** The same object for all watches of a request. */
  readonly response: object;
}

export interface OutcomeWatch<Args extends readonly [unknown, ...unknown[]]> {
  /**
   * Reads the account and address of a request.
   *
   * @returns Reports the outcome once, by the response's status and the arguments of `success`;
   * never rejects.
   */
  begin(watched: WatchedLogin<Args[0]>): (status: number, args: Args) => Promise<void>;
}

/** Watched requests per receiver: each is reported and counted once. */
const claimOf = perRequest<Reporter | Velocity, { isWatched?: boolean }>(() => ({}));

function claim(receiver: Reporter | Velocity, response: object): boolean {
  const claimed = claimOf(response, receiver);
  const isFirst = !claimed.isWatched;
  claimed.isWatched = true;
  return isFirst;
}

/** Creates the watch that all adapters share. */
export function outcomeWatchWith<Args extends readonly [unknown, ...unknown[]]>(
  settings: LoginWatchSettings<Args>,
): OutcomeWatch<Args> {
  const { success, report, device, attackMode } = settings;
  const read = createRequestReader<readonly [Args[0], ...unknown[]]>(settings, report);
  const hookCall: HookCall<unknown> = { report, otherwise: undefined };

  const reportEnd = async (
    { request, args: [subject] }: WatchedLogin<Args[0]>,
    { who, waiting }: Reading,
    { reporter, velocity }: Receivers,
    { status, args }: { readonly status: number; readonly args: Args },
  ): Promise<void> => {
    if (waiting) await waiting;
    if (who.email === ABSENT) return;
    const ended = success
      ? await callHook("`success`", () => success(...args), hookCall)
      : successOf(status);
    const texts = textsOf(who.value);
    if (ended === true) attackMode?.end(request, "succeeded");
    const crossSite = settings.isCrossSite(request);
    const standing = device && (await endTry(device, { request, crossSite }, texts, ended));
    if (typeof ended !== "boolean") return;
    const userAgent = request.headers["user-agent"];
    const end: LoginEnd = {
      ip: cleanAddress(textOf(who.ip)),
      crossSite,
      isSuccess: ended,
      userAgent: typeof userAgent === "string" && userAgent !== "" ? userAgent : undefined,
      device: standing,
      keys: velocity?.keysOf?.(subject, (name, cause) => report(hookError(name, cause))),
    };
    // A known device counts its failures by itself.
    const counted =
      velocity && (ended || standing !== "known") && countEnd(velocity, texts, end, report);
    if (reporter) reportLogin(reporter, texts, end);
    await counted;
  };

  return {
    begin(watched) {
      const ours = <T extends Reporter | Velocity>(receiver: T | undefined): T | undefined =>
        receiver && claim(receiver, watched.response) ? receiver : undefined;
      const receivers: Receivers = {
        reporter: ours(settings.reporter),
        velocity: ours(settings.velocity),
      };
      if (!receivers.reporter && !receivers.velocity && !device && !attackMode)
        return async () => {};
      const who: Identified = { ip: ABSENT, email: ABSENT, value: undefined };
      const reading: Reading = { who, waiting: read(watched, who) };
      let isReported = false;
      return async (status, args) => {
        if (isReported) return;
        isReported = true;
        const end = { status, args };
        await callHook("the reporter", () => reportEnd(watched, reading, receivers, end), hookCall);
        receivers.velocity?.end?.(watched.request);
      };
    },
  };
}

interface Reading {
  readonly who: Identified;
  /** Settles when the identifiers are known; undefined if they already are. */
  readonly waiting: Promise<void> | undefined;
}

/** Ends the try of a device, and returns its standing. */
async function endTry(
  device: Devices,
  { request, crossSite }: { readonly request: CookieRequest; readonly crossSite: boolean },
  texts: readonly string[],
  ended: unknown,
): Promise<DeviceStanding> {
  const [only] = texts.length === 1 ? texts : [];
  const tried = await device.tryOf(request, only, crossSite);
  tried.end(ended === false);
  return tried.standing;
}

interface LoginEnd {
  readonly ip: string | undefined;
  readonly crossSite: boolean;
  readonly isSuccess: boolean;
  readonly userAgent: string | undefined;
  readonly device: DeviceStanding | undefined;
  readonly keys: VelocityFacts["keys"];
}

async function countEnd(
  velocity: Velocity,
  texts: readonly string[],
  { ip, crossSite, isSuccess, keys }: LoginEnd,
  report: ErrorHook,
): Promise<void> {
  const [only] = texts.length === 1 ? texts : [];
  const counted: VelocityFacts[] = [];
  // If there are several accounts, it is unknown which one the handler uses.
  if (only !== undefined || !isSuccess) {
    counted.push({ email: only, ip, keys, ...(crossSite && { crossSite }) });
  }
  if (only === undefined && !isSuccess) counted.push(...texts.map((email) => ({ email })));
  const how = { report, otherwise: undefined, reportsOwn: true };
  await Promise.all(
    counted.map(async (facts) => {
      const call = () => (isSuccess ? velocity.succeeded?.(facts) : velocity.count(facts));
      await callHook("`velocity`", call, how);
    }),
  );
}

function reportLogin(
  reporter: Reporter,
  texts: readonly string[],
  { ip, crossSite, isSuccess, userAgent, device }: LoginEnd,
): void {
  const accounts = texts.flatMap(accountsIn);
  if (ip === undefined || (isSuccess && accounts.length > 1)) return;
  for (const account of accounts) {
    reporter.login({
      account,
      address: ip,
      success: isSuccess,
      ...(userAgent !== undefined && { userAgent }),
      ...(crossSite && { crossSite }),
      ...(device !== undefined && { device }),
    });
  }
}

/** Returns up to three texts or numbers that a handler may use as an account. */
function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value.flat(2) : [value];
  const texts = values.filter((one) => typeof one === "string" || typeof one === "number");
  const distinct = [...new Set(texts.map(String))].filter((text) => text.trim() !== "");
  return distinct.length > MAX_EMAILS ? [] : distinct;
}

/** Returns the accounts to report: each mailbox that the text names, or the text itself. */
function accountsIn(text: string): readonly string[] {
  const [, ...named] = mailboxesIn(text, false);
  const isFew = named.length > 0 && named.length <= MAX_EMAILS;
  return (isFew ? named : [text]).flatMap((one) => usableEmail(one) ?? []);
}

interface Receivers {
  readonly reporter: Reporter | undefined;
  readonly velocity: Velocity | undefined;
}
