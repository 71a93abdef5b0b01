import { emailProblem } from "../address/email-address.js";
import { destinationOf } from "../address/host-address.js";
import { RiskGateError } from "../base/errors.js";
import { nearest } from "../base/options.js";
import { typeName } from "../base/type-name.js";
import type { EventGeo } from "../model/payload.js";
import { DEVICE_STANDINGS, type DeviceStanding } from "../model/devices.js";
import { EVENT_KINDS, type EventKind } from "../model/vocabulary.js";

/** A security event observed by the application. */
export interface EventReport {
  readonly kind: EventKind;
  readonly address?: string | undefined;
  /**
   * Affected account: an email address, or another identifier of at most 320 bytes. In events such
   * as `sql_injection`, it counts as the attacker: pass only the account of an authenticated request.
   */
  readonly account?: string | undefined;
  /** Visible ASCII, at most 128 characters; repeated ids are counted once. Default random. */
  readonly id?: string | undefined;
  /** Time of the event, not in the future; default now. */
  readonly at?: Date | undefined;
  /** Truncated to 512 characters. */
  readonly userAgent?: string | undefined;
  /** Whether the application blocked it. */
  readonly blocked?: boolean | undefined;
  /** Description in one sentence; truncated to 1,000 characters. */
  readonly description?: string | undefined;
}

export interface LoginReport {
  /** Account that the visitor entered: an email address, or another identifier of at most 320 bytes. */
  readonly account: string;
  /** The visitor's IP address. */
  readonly address: string;
  readonly success: boolean;
  /** Time of the login, not in the future; default now. */
  readonly at?: Date | undefined;
  /** Whether the account exists. */
  readonly known?: boolean | undefined;
  /** The visitor's location, if the application knows it better than the service. */
  readonly location?: EventGeo | undefined;
  /** Truncated to 512 characters. */
  readonly userAgent?: string | undefined;
  /**
   * A page of another origin may have made the browser send the login, as `Sec-Fetch-Site` and
   * `Origin` show. It counts towards its account and never towards its address. Default false.
   */
  readonly crossSite?: boolean | undefined;
  /** Whether the account has logged in from this browser before; `loginWatch` sets it. */
  readonly device?: DeviceStanding | undefined;
}

/** Labels a decision or an account, for example after a chargeback. */
export interface LabelReport {
  /** `id` of the decision; either this or `account`. */
  readonly decisionId?: string | undefined;
  /** An email address, or another identifier of at most 320 bytes. */
  readonly account?: string | undefined;
  /**
   * Digest of the account, as computed by `createIdentityDigest` with the secret of the decision
   * log: rehearsals find the account's decisions by it.
   */
  readonly digest?: string | undefined;
  readonly label: (typeof LABELS)[number];
  /** When it became known, not in the future; default now. The latest label counts. */
  readonly at?: Date | undefined;
}

const LABELS = ["fraud", "legitimate"] as const;

export type CheckedLabel = Omit<LabelReport, "at"> & { readonly atMs: number | undefined };

export interface CheckedEvent {
  readonly kind: EventKind;
  readonly id: string;
  /** In normal form. */
  readonly address: string | undefined;
  readonly account: string | undefined;
  readonly atMs: number | undefined;
  readonly userAgent: string | undefined;
  readonly blocked: boolean;
  readonly description: string | undefined;
}

export interface CheckedLogin {
  readonly account: string;
  /** In normal form. */
  readonly address: string;
  readonly success: boolean;
  readonly atMs: number | undefined;
  readonly known: boolean | undefined;
  readonly location: EventGeo | undefined;
  readonly userAgent: string | undefined;
  /** Sent only if true, so that older services accept all other logins. */
  readonly crossSite?: true;
  /** Sent only if given, for the same reason. */
  readonly device?: DeviceStanding;
}

const EVENT_MEMBERS: readonly (keyof EventReport)[] = [
  "kind",
  "address",
  "account",
  "id",
  "at",
  "userAgent",
  "blocked",
  "description",
];
const LOGIN_MEMBERS: readonly (keyof LoginReport)[] = [
  "account",
  "address",
  "success",
  "at",
  "known",
  "location",
  "userAgent",
  "crossSite",
  "device",
];
const LABEL_MEMBERS: readonly (keyof LabelReport)[] = [
  "decisionId",
  "account",
  "digest",
  "label",
  "at",
];
const LOCATION_MEMBERS: readonly (keyof EventGeo)[] = ["city", "code", "point"];

/** Names of the counters. A peak of one creates an incident. */
export const COUNTERS = ["http4xx", "http5xx", "failedLogins"] as const;
export type Counter = (typeof COUNTERS)[number];

/** Maximum length of a name that is compared with the members, in characters. */
const MAX_MISSPELT = 64;

/** Maximum number to count at once. */
const MAX_COUNT = 1_000_000;

const KINDS: ReadonlySet<unknown> = new Set(EVENT_KINDS);
const ID = /^[\x21-\x7e]{1,128}$/;
const DECISION_ID = /^[\w.:-]{1,64}$/;
const DIGEST = /^[0-9a-f]{32}$/;

/**
 * Checks an event and copies its known members.
 * @throws {RiskGateError} INVALID_ARGUMENT, with the name of the invalid member and never its
 * value.
 */
export function checkEvent(given: EventReport): CheckedEvent {
  const report = objectOf(given, "event", EVENT_MEMBERS);
  const id = report.id ?? crypto.randomUUID();
  if (!KINDS.has(report.kind)) {
    const given: unknown = report.kind;
    const near =
      typeof given === "string" ? nearest(given.slice(0, MAX_MISSPELT), EVENT_KINDS) : undefined;
    const advice = near === undefined ? "" : `; did you mean "${near}"?`;
    return refuse("kind", `one of \`EVENT_KINDS\`${advice}`, report.kind);
  }
  if (typeof id !== "string" || !ID.test(id)) {
    return refuse("id", "visible ASCII of at most 128 characters", id);
  }
  return {
    kind: report.kind,
    id,
    address: report.address === undefined ? undefined : addressOf(report.address),
    account: report.account === undefined ? undefined : accountOf(report.account),
    atMs: instantOf(report.at),
    userAgent: textOf("userAgent", report.userAgent, 512),
    blocked: flagOf("blocked", report.blocked) ?? false,
    description: textOf("description", report.description, 1000),
  };
}

/**
 * Checks a login and copies its known members.
 * @throws {RiskGateError} INVALID_ARGUMENT, with the name of the invalid member and never its
 * value.
 */
export function checkLogin(given: LoginReport): CheckedLogin {
  const report = objectOf(given, "login", LOGIN_MEMBERS);
  const { device } = report;
  if (device !== undefined && !DEVICE_STANDINGS.includes(device)) {
    return refuse("device", DEVICE_STANDINGS.join(", "), device);
  }
  return {
    account: accountOf(report.account),
    address: addressOf(report.address),
    success: flagOf("success", report.success) ?? refuse("success", "true or false", undefined),
    atMs: instantOf(report.at),
    known: flagOf("known", report.known),
    location: report.location && objectOf(report.location, "location", LOCATION_MEMBERS),
    userAgent: textOf("userAgent", report.userAgent, 512),
    ...(flagOf("crossSite", report.crossSite) && { crossSite: true }),
    ...(device !== undefined && { device }),
  };
}

/**
 * Checks a label and copies its known members.
 * @throws {RiskGateError} INVALID_ARGUMENT, with the name of the invalid member and never its
 * value.
 */
export function checkLabel(given: LabelReport): CheckedLabel {
  const report = objectOf(given, "label", LABEL_MEMBERS);
  const { decisionId, account, digest, label } = report;
  if (!LABELS.includes(label)) return refuse("label", LABELS.join(" or "), label);
  const atMs = instantOf(report.at);
  if (decisionId !== undefined) {
    if (typeof decisionId !== "string" || !DECISION_ID.test(decisionId)) {
      return refuse("decisionId", "the `id` of a decision", decisionId);
    }
    if (account !== undefined) return refuse("account", "omitted with `decisionId`", account);
    if (digest !== undefined) return refuse("digest", "omitted with `decisionId`", digest);
    return { decisionId, label, atMs };
  }
  if (digest !== undefined && !(typeof digest === "string" && DIGEST.test(digest))) {
    return refuse("digest", "32 hex digits", digest);
  }
  if (account === undefined) return refuse("decisionId", "given without `account`", account);
  return { account: accountOf(account), digest, label, atMs };
}

/** @throws {RiskGateError} INVALID_ARGUMENT for an unknown counter or an invalid number. */
export function checkCount(counter: unknown, by: unknown): void {
  if (!COUNTERS.some((known) => known === counter)) {
    const given =
      typeof counter === "string" ? JSON.stringify(counter.slice(0, 30)) : typeName(counter);
    throw invalid(`the counter must be ${COUNTERS.join(", ")}, given ${given}`);
  }
  if (!Number.isSafeInteger(by) || (by as number) < 1 || (by as number) > MAX_COUNT) {
    throw invalid(`\`by\` must be a whole number from 1 to ${MAX_COUNT}`);
  }
}

function objectOf<T extends object>(given: T, name: string, members: readonly unknown[]): T {
  if (typeof given !== "object" || given === null) {
    throw invalid(`the ${name} must be an object, given ${typeName(given)}`);
  }
  const known = members as readonly string[];
  const other = Object.keys(given).find((member) => !known.includes(member));
  if (other === undefined) return given;
  const near = other.length <= MAX_MISSPELT ? nearest(other, known) : undefined;
  const advice = near === undefined ? "" : `; did you mean \`${near}\`?`;
  throw invalid(`the ${name} only takes ${known.map((one) => `\`${one}\``).join(", ")}${advice}`);
}

function addressOf(value: unknown): string {
  return destinationOf(value) ?? refuse("address", "an IP address", value);
}

function accountOf(value: unknown): string {
  if (emailProblem(value) === undefined) return value as string;
  return refuse("account", "an email address or another identifier of at most 320 bytes", value);
}

function instantOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const ms = value instanceof Date ? value.getTime() : NaN;
  return ms >= 0 ? ms : refuse("at", "a valid Date", value);
}

/** Truncated, because visitors control its length. */
function textOf(name: string, value: unknown, max: number): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value.slice(0, max).toWellFormed();
  return refuse(name, "a string", value);
}

function flagOf(name: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  return refuse(name, "true or false", value);
}

function refuse(name: string, expected: string, given: unknown): never {
  throw invalid(`\`${name}\` must be ${expected}, given ${kindOf(given)}`);
}

/** Accounts and addresses are personal data, so they are not quoted. */
function kindOf(given: unknown): string {
  return typeof given === "string" ? "another text" : typeName(given);
}

function invalid(message: string): RiskGateError {
  const hint = "Correct the report; the request that made it is not affected";
  return new RiskGateError("INVALID_ARGUMENT", message, { hint });
}
