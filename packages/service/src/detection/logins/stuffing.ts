import type { EventFacts } from "../../model/event.js";
import type { Instant } from "../../model/instant.js";
import type { WindowMap } from "../windows.js";
import type { LoginOutcome } from "./outcome.js";

/** Logins of an application from devices that are not known. */
export interface Strangers {
  /** One for each window length, oldest first. */
  readonly parts: readonly Part[];
  /** Successes that an attack would make suspicious. */
  readonly entered: readonly Entered[];
}

interface Part {
  readonly part: number;
  readonly failed: number;
  readonly passed: number;
}

type Entered = Pick<LoginOutcome, "account" | "at" | "userAgent">;

/** Fewer failures than a gate with attack mode lets reach the password. */
const MIN_FAILURES = 20;

/** More of the logins must fail than people mistype. */
const MIN_SHARE = 1 / 4;

/** An attack exceeds the median of earlier windows by this factor. */
const FACTOR = 4;

const MAX_PARTS = 26;

/** Windows that there must be before they count. */
const MIN_PARTS = 6;

const MAX_ENTERED = 100;

const NOBODY: Strangers = { parts: [], entered: [] };

/**
 * Counts a login from a device that is not known.
 *
 * @param isNew True for a success that its account's owner has not made likely.
 * @returns An event for each success within the window, once the application is under an attack in
 * which each network takes part once; empty otherwise.
 */
export function stuffedLogins(
  map: WindowMap<Strangers>,
  key: string,
  outcome: LoginOutcome,
  isNew: boolean,
  windowMs: number,
): readonly EventFacts[] {
  if (outcome.device === undefined || outcome.device === "known") return [];
  const { account, at, userAgent, success } = outcome;
  const before = map.get(key) ?? NOBODY;
  const length = windowMs * 1000;
  const parts = counted(before.parts, Math.floor(at / length), success);
  const recent = before.entered.filter((one) => one.at > at - length);
  const entered = isNew ? [...recent, { account, at, userAgent }].slice(-MAX_ENTERED) : recent;
  const isAttack = isStuffed(parts, at / length);
  map.set(key, { parts, entered: isAttack ? [] : entered });
  return isAttack ? entered.map(eventOf) : [];
}

function counted(parts: readonly Part[], part: number, success: boolean): readonly Part[] {
  const known = parts.find((one) => one.part === part) ?? { part, failed: 0, passed: 0 };
  const next = success
    ? { ...known, passed: known.passed + 1 }
    : { ...known, failed: known.failed + 1 };
  return [...parts.filter((one) => one.part !== part), next]
    .toSorted((one, other) => one.part - other.part)
    .slice(-MAX_PARTS);
}

function isStuffed(parts: readonly Part[], now: number): boolean {
  const part = Math.floor(now);
  const within = (name: "failed" | "passed"): number => {
    const countIn = (which: number) => parts.find((one) => one.part === which)?.[name] ?? 0;
    return countIn(part) + countIn(part - 1) * (1 - (now - part));
  };
  const failed = within("failed");
  const earlier = parts.filter((one) => one.part < part - 1).map((one) => one.failed);
  const usual =
    earlier.length < MIN_PARTS ? 0 : earlier.toSorted((a, b) => a - b)[earlier.length >> 1]!;
  return (
    failed >= MIN_FAILURES &&
    failed > MIN_SHARE * (failed + within("passed")) &&
    failed > FACTOR * usual
  );
}

/** The visitor may be the owner, so the event names no address. */
function eventOf({ account, at, userAgent }: { at: Instant } & Entered): EventFacts {
  return {
    kind: "auth_scan_success",
    occurredAt: at,
    accountKeys: [{ name: account.includes("@") ? "email" : "login", value: account }],
    accounts: [account],
    ips: [],
    userAgents: userAgent === undefined ? [] : [userAgent],
    blocked: false,
    highRisk: false,
    description: `Login to ${account} from a new device while many other logins fail`,
  };
}
