import type { EventGeo } from "@riskgate/core/payloads";
import type { Instant } from "../../model/instant.js";
import type { LoginOutcome } from "./outcome.js";
import { addStop, type Stop } from "./travel.js";

const MAX_WINDOW = 1000;

const MAX_SUCCESSES = 16;
const MAX_NETWORKS = 16;
const MAX_PLACES = 8;

/** The owner of an account, as known from successful logins, which an attacker cannot forge. */
export interface Owner {
  readonly successes: readonly Success[];
  readonly networks: readonly string[];
  readonly places: readonly EventGeo[];
  /** The last successes whose address shows the location of the visitor. */
  readonly stops: readonly Stop[];
}

/** A failed login within the window. */
export interface Failure {
  readonly at: Instant;
  /** The account in the normal form of its mailbox. */
  readonly account: string;
  readonly name: string;
  readonly address: string;
  /** Network of the address, which counts as one visitor. */
  readonly network: string;
  /** True if the account exists. */
  readonly exists: boolean;
  /** A page of another site made the browser send it, so it never counts towards the address. */
  readonly crossSite: boolean;
  /** The account has succeeded from the network since: it only serves to detect repetition. */
  readonly isTakenBack?: true;
}

/** The last success on an account from a network, within the window. */
export interface Passed {
  readonly at: Instant;
  /** The normal form of its mailbox. */
  readonly account: string;
}

interface Success {
  readonly at: Instant;
  readonly name: string;
  readonly address: string;
  readonly place: EventGeo | undefined;
}

/** Returns true if the application has already reported this exact outcome. */
export function isRepeated(
  { isDated, at, account, address }: LoginOutcome,
  seen: readonly (Failure | Success)[],
): boolean {
  // Two spellings of one mailbox are two attempts, even within one second.
  const isSame = (one: Failure | Success): boolean =>
    one.at === at && one.address === address && one.name === account;
  return isDated && seen.some(isSame);
}

/** Adds a success to the owner without changing networks and locations. */
export function rememberSuccess(
  owner: Owner | undefined,
  { at, account: name, address }: LoginOutcome,
  place: EventGeo | undefined,
  windowMs: number,
): Owner {
  const { successes = [], networks = [], places = [], stops = [] } = owner ?? {};
  const window = inWindow<Success>(successes, { at, name, address, place }, windowMs);
  return { successes: window.slice(-MAX_SUCCESSES), networks, places, stops };
}

/** Adds a network, a location and a stop to the owner. */
export function learnOwner(
  owner: Owner,
  network: string,
  place: EventGeo | undefined,
  stop: Stop | undefined,
): Owner {
  const networks = [...owner.networks.filter((one) => one !== network), network];
  const places = owner.places.filter((one) => JSON.stringify(one) !== JSON.stringify(place));
  return {
    ...owner,
    networks: networks.slice(-MAX_NETWORKS),
    places: (place ? [...places, place] : places).slice(-MAX_PLACES),
    ...(stop && { stops: addStop(owner.stops, stop) }),
  };
}

export function rememberFailure(
  failures: readonly Failure[],
  failure: Failure,
  windowMs: number,
): readonly Failure[] {
  return inWindow(failures, failure, windowMs);
}

/** Adds a failure to a network, which stores the last one on each account. */
export function rememberScan(
  failures: readonly Failure[],
  failure: Failure,
  windowMs: number,
): readonly Failure[] {
  const before = failures.find(({ account }) => account === failure.account);
  // A failure that counts towards the address keeps counting, whatever other sites send later.
  const crossSite = failure.crossSite && (before?.crossSite ?? true);
  return rememberLatest(failures, { ...failure, crossSite }, windowMs);
}

/** Returns the failures on an account; those from the network no longer count. */
export function takeBack(failures: readonly Failure[], network: string): readonly Failure[] {
  return failures.map((one) => (one.network === network ? { ...one, isTakenBack: true } : one));
}

/** Adds an entry, and keeps only the last one of each account. */
export function rememberLatest<Entry extends Passed>(
  entries: readonly Entry[],
  entry: Entry,
  windowMs: number,
): readonly Entry[] {
  const index = entries.findIndex(({ account }) => account === entry.account);
  const others = index < 0 ? entries : entries.toSpliced(index, 1);
  const at = Math.max(entry.at, entries[index]?.at ?? entry.at);
  return inWindow(others, { ...entry, at }, windowMs);
}

/**
 * Adds an entry to a window. The result contains the entries within the window length before the
 * newest one, oldest first, so that outcomes may be reported late and in any order.
 */
function inWindow<Entry extends { readonly at: Instant }>(
  window: readonly Entry[],
  entry: Entry,
  windowMs: number,
): readonly Entry[] {
  const newest = window.at(-1)?.at ?? entry.at;
  const start = Math.max(newest, entry.at) - windowMs * 1000;
  const from = window.findIndex(({ at }) => at > start);
  const kept = from < 0 ? [] : window.slice(Math.max(from, window.length + 1 - MAX_WINDOW));
  // The entry is nearly always the newest; only a late one needs a search for its position.
  if (entry.at >= newest) kept.push(entry);
  else if (entry.at > start)
    kept.splice(
      kept.findIndex(({ at }) => at > entry.at),
      0,
      entry,
    );
  return kept;
}
