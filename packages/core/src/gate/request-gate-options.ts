import { type AttackModeOption, readAttackMode } from "../attack/attack-option.js";
import {
  type ChallengeOptions,
  type ChallengeSettings,
  readChallenge,
} from "../challenge/challenge-options.js";
import type { Step } from "../decision/step.js";
import type { Awaitable } from "../model/awaitable.js";
import type { OptionReader } from "../base/options.js";
import { readTrustedProxies, type TrustedProxies } from "../decision/client-address.js";
import { type DeviceOption, readDevices } from "../device/device-step.js";
import type { Devices } from "../model/devices.js";
import { readCrossSite } from "../decision/page-origin.js";
import { type ReaderSettings, readPlace } from "../decision/reader-settings.js";
import type { Decision } from "../model/decision.js";
import { type GateOptions, type GateSettings, readGate } from "./steps.js";
import type { Challenge } from "../challenge/challenge-step.js";

/**
 * Options for a gate in front of a route. `Args` are the arguments of the framework's middleware,
 * the request first.
 */
export interface RequestGateOptions<Args extends readonly [unknown, ...unknown[]]>
  extends GateOptions, DeviceOption, AttackModeOption {
  /**
   * Path of the email address in the body, such as `user.email`, by own properties; default `email`. Or
   * a function that finds it: null and undefined mean that the request has no email, and its time is
   * part of the budget, as for `ip` and `skip`. False if no request of the route has an email.
   */
  readonly email?: string | false | ((request: Args[0]) => unknown);
  /** Finds the client's IP address; default the framework's, or the result of `trustedProxies`. */
  readonly ip?: (request: Args[0]) => unknown;
  /**
   * Addresses and networks of the proxies in front of the application. X-Forwarded-For is then
   * walked from the socket outward past these only, regardless of the framework's settings. The
   * names `loopback` and `private` mean those networks; a number is a count of proxies.
   */
  readonly trustedProxies?: TrustedProxies;
  /**
   * Origins of the application's own pages on other hosts, such as `https://app.example.com`.
   * Requests that pages of any other origin make a browser send count separately from those of the
   * client's address (`docs/velocity.md`).
   */
  readonly trustedOrigins?: readonly string[];
  /** Returns true for requests to let through without a decision. */
  readonly skip?: (request: Args[0]) => unknown;
  /**
   * Sends a custom refusal: 403 by default, 503 if `because` is `unavailable`, and 400 if it is
   * `identifier_invalid`, which no other hook receives. The default is sent if the hook throws or
   * sends nothing in time.
   */
  readonly onReject?: (decision: Decision, ...args: Args) => unknown;
  /** Settings of challenge tokens; required if the gate challenges. */
  readonly challenge?: ChallengeOptions;
  /**
   * Sends a custom challenge, such as a page; if it throws or sends nothing in time, the default is
   * sent: 403 with the token in JSON.
   */
  readonly onChallenge?: (decision: Decision, challenge: Challenge, ...args: Args) => unknown;
  /**
   * Returns true if the request meets its challenge; called once for each valid token. Any other
   * result, an error or a timeout leads to a new challenge.
   */
  readonly verifyChallenge?: (...args: Args) => Awaitable<boolean>;
  /** Receives every decision, before it is enforced. */
  readonly onDecision?: (decision: Decision, ...args: Args) => unknown;
}

export interface RequestGateSettings<Args extends readonly [unknown, ...unknown[]]>
  extends
    ReaderSettings<Args>,
    Pick<
      RequestGateOptions<Args>,
      "skip" | "onReject" | "onChallenge" | "verifyChallenge" | "onDecision"
    > {
  readonly gate: GateSettings;
  readonly challenge: ChallengeSettings | undefined;
  readonly device: Devices | undefined;
  readonly attack: Step | undefined;
}

const EMAIL_PLACE = {
  expected: 'a path such as "user.email", a function or false',
  remedy: "Set `email` to its path, or to false without one",
};

/** Reads {@link RequestGateOptions}; the signatures of hooks cannot be checked. */
export function readRequestGate<Args extends readonly [unknown, ...unknown[]]>(
  options: OptionReader,
): RequestGateSettings<Args> {
  type Options = Required<RequestGateOptions<Args>>;
  const gate = readGate(options);
  const attackMode = readAttackMode(options);
  const settings = {
    gate,
    trusted: readTrustedProxies(options),
    isCrossSite: readCrossSite(options),
    device: readDevices(options),
    attack: attackMode?.step,
    skip: options.function<Options["skip"]>("skip"),
    ...readPlace(options, "email", EMAIL_PLACE, () => undefined),
    selectIp: options.function<Options["ip"]>("ip"),
    onReject: options.function<Options["onReject"]>("onReject"),
    challenge: readChallenge(options, gate.budgetMs),
    onChallenge: options.function<Options["onChallenge"]>("onChallenge"),
    verifyChallenge: options.function<Options["verifyChallenge"]>("verifyChallenge"),
    onDecision: options.function<Options["onDecision"]>("onDecision"),
  };
  if (attackMode && !settings.device) {
    options.refuse("device", "set if `attackMode` is set", undefined);
  }
  const challenges = [...gate.steps, settings.attack].find(
    (step) => step?.challengedBy !== undefined,
  );
  const { challenge, verifyChallenge } = settings;
  const isChecked = verifyChallenge !== undefined || challenge?.proof !== undefined;
  const missing = !challenge ? "challenge" : isChecked ? undefined : "verifyChallenge";
  // Observe mode never challenges.
  if (gate.enforced && challenges && missing) {
    options.refuse(missing, `set if \`${challenges.challengedBy}\` challenges`, undefined);
  }
  return settings as RequestGateSettings<Args>;
}
