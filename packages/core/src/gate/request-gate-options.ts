import {
  type ChallengeOptions,
  type ChallengeSettings,
  readChallenge,
} from "../challenge/challenge-options.js";
import type { Awaitable } from "../model/awaitable.js";
import type { OptionReader } from "../base/options.js";
import {
  type ProxyTrust,
  readTrustedProxies,
  type TrustedProxies,
} from "../decision/client-address.js";
import type { Decision } from "../model/decision.js";
import { type GateOptions, type GateSettings, readGate } from "./steps.js";
import type { Challenge } from "../challenge/challenge-step.js";

/**
 * Options of a gate in front of a route. `Args` are the arguments of a middleware of the framework, the
 * request first.
 */
export interface RequestGateOptions<
  Args extends readonly [unknown, ...unknown[]],
> extends GateOptions {
  /**
   * Finds the email address; default the own string property `email` of the parsed body. Null and
   * undefined mean that the request has no email. Its time is part of the budget, as for `ip` and `skip`.
   */
  readonly email?: (request: Args[0]) => unknown;
  /** Finds the client's IP address; by default the framework's, or the one that `trustedProxies` leads to. */
  readonly ip?: (request: Args[0]) => unknown;
  /**
   * Addresses and networks of the proxies in front of the application. Then X-Forwarded-For is
   * walked from the socket outward past these only, whatever the framework is set to trust. The names
   * `loopback` and `private` stand for their networks; a number is a count of proxies.
   */
  readonly trustedProxies?: TrustedProxies;
  /** Returns true for requests that need no decision. */
  readonly skip?: (request: Args[0]) => unknown;
  /** Writes the application's own refusal; the default answer follows if it throws or never answers. */
  readonly onReject?: (decision: Decision, ...args: Args) => unknown;
  /** Ties a challenge to the request that answers it; required if the gate challenges. */
  readonly challenge?: ChallengeOptions;
  /**
   * Writes the application's own challenge, such as a page; the default answer, 403 with the token in
   * JSON, follows if it throws or never answers.
   */
  readonly onChallenge?: (decision: Decision, challenge: Challenge, ...args: Args) => unknown;
  /**
   * Returns whether the request answers its challenge; called once for each valid token. Only true
   * passes. Any other result, an error or a late answer leads to another challenge.
   */
  readonly verifyChallenge?: (...args: Args) => Awaitable<boolean>;
  /** Receives every decision, before it is enforced. */
  readonly onDecision?: (decision: Decision, ...args: Args) => unknown;
}

/** {@link RequestGateOptions} after reading. */
export interface RequestGateSettings<Args extends readonly [unknown, ...unknown[]]> extends Pick<
  RequestGateOptions<Args>,
  "skip" | "onReject" | "onChallenge" | "verifyChallenge" | "onDecision"
> {
  readonly gate: GateSettings;
  readonly trusted: ProxyTrust | undefined;
  readonly selectEmail: RequestGateOptions<Args>["email"];
  readonly selectIp: RequestGateOptions<Args>["ip"];
  readonly challenge: ChallengeSettings | undefined;
}

/** Reads all options of {@link RequestGateOptions}; the types of the hooks cannot be checked. */
export function readRequestGate<Args extends readonly [unknown, ...unknown[]]>(
  options: OptionReader,
): RequestGateSettings<Args> {
  type Options = Required<RequestGateOptions<Args>>;
  const gate = readGate(options);
  const settings = {
    gate,
    trusted: readTrustedProxies(options),
    skip: options.function<Options["skip"]>("skip"),
    selectEmail: options.function<Options["email"]>("email"),
    selectIp: options.function<Options["ip"]>("ip"),
    onReject: options.function<Options["onReject"]>("onReject"),
    challenge: readChallenge(options, gate.budgetMs),
    onChallenge: options.function<Options["onChallenge"]>("onChallenge"),
    verifyChallenge: options.function<Options["verifyChallenge"]>("verifyChallenge"),
    onDecision: options.function<Options["onDecision"]>("onDecision"),
  };
  const challenges = gate.steps.find(({ challengedBy }) => challengedBy !== undefined);
  const missing = (["challenge", "verifyChallenge"] as const).find((name) => !settings[name]);
  // In observe mode nobody has to answer.
  if (gate.enforced && challenges && missing) {
    options.refuse(missing, `set if \`${challenges.challengedBy}\` challenges`, undefined);
  }
  return settings as RequestGateSettings<Args>;
}
