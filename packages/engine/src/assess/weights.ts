import type { OptionReader } from "@riskgate/core/adapter";

/**
 * Points of each signal, 0 to 100. Above 40 the gate flags by default, above 80 it rejects.
 *
 * Source: `attacker`, `datacenter` and `disposable` are calibrated against recorded assessments;
 * the others are our choice (see `docs/spec-notes.md`).
 */
export interface Weights {
  /** Used in an attack: 80, so that it is rejected only together with a second signal. */
  readonly attacker: number;
  /** Maximum for events without an attack: 40, which is not flagged. */
  readonly history: number;
  /** Tor exit: 60, flagged. Many people share one exit, so it never causes a rejection alone. */
  readonly tor: number;
  /**
   * Open proxy: 50, flagged. Few people use one on purpose, but some are hijacked home computers.
   */
  readonly proxy: number;
  /** Network of a VPN provider: 45, just flagged. Most of its users only want privacy. */
  readonly vpn: number;
  /** Hosting network: 5. Company gateways and legitimate bots use them too. */
  readonly datacenter: number;
  /** Temporary mailbox: 50, flagged. */
  readonly disposable: number;
  /**
   * Not an address by RFC 5322: 60, flagged. A rejection would hide the form's own message from
   * people who mistype, and some carriers have issued addresses that break the rules.
   */
  readonly malformed: number;
  /**
   * Well-formed by RFC 5322, but with comments, whitespace, obsolete forms, too long for mail, or
   * without a host name after the `@`: 60, flagged. People do not write these addresses, except to
   * test a form.
   */
  readonly unusual: number;
  /**
   * The domain receives no mail, by DNS: 60, flagged. Most of these addresses are typos, and the
   * form's own message helps more than a rejection. Only with the option `mx`.
   */
  readonly no_mail: number;
  /** Contains code: 100, rejected. This never happens by accident. */
  readonly harmful: number;
}

/** Default points of each signal. */
export const DEFAULT_WEIGHTS: Weights = {
  attacker: 80,
  history: 40,
  tor: 60,
  proxy: 50,
  vpn: 45,
  datacenter: 5,
  disposable: 50,
  malformed: 60,
  unusual: 60,
  no_mail: 60,
  harmful: 100,
};

/**
 * Returns the default weights, overridden by the given ones.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a value outside 0 to 100.
 */
export function resolveWeights(options: OptionReader): Weights {
  const weights = Object.entries(DEFAULT_WEIGHTS).map(([name, weight]) => [
    name,
    options.number(name, weight as number, { min: 0, max: 100 }),
  ]);
  return Object.fromEntries(weights) as Weights;
}
