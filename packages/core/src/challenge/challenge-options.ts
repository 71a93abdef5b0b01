import type { OptionReader } from "../base/options.js";
import { createTokenIssuer, type TokenIssuer } from "./challenge-token.js";
import type { ChallengeProof } from "./challenge-proof.js";
import { readSecretList } from "./challenge-secrets.js";
import { createMemoryUses, type SingleUseStore } from "./single-use.js";

export interface ChallengeOptions {
  /**
   * Signs tokens: random text of at least 32 bytes. Of several secrets, the first signs and all
   * verify, so that you can rotate them. Servers behind the same address need the same secrets.
   */
  readonly secrets: string | readonly string[];
  /** How long a token is valid, in milliseconds, at most an hour; default 300,000. */
  readonly ttlMs?: number;
  /** Milliseconds for the store and `verifyChallenge` together; default `budgetMs`. */
  readonly timeoutMs?: number;
  /**
   * Remembers used tokens; default in memory. Several processes need a shared store, as created by
   * `createRedisSingleUseStore()`, `createPostgresSingleUseStore()` or
   * `createSqliteSingleUseStore()`, or each accepts a token once. While it fails, all tokens are
   * rejected.
   */
  readonly seen?: SingleUseStore;
  /**
   * Work that a client must do; `verifyChallenge` is then optional. As created by
   * `createAltchaChallenge()` of `@riskgate/core/altcha`.
   */
  readonly proof?: ChallengeProof;
}

export interface ChallengeSettings {
  readonly issuer: TokenIssuer;
  readonly uses: SingleUseStore;
  readonly proof: ChallengeProof | undefined;
  readonly timeoutMs: number;
}

const MAX_TTL_MS = 3_600_000;

/**
 * Reads the option `challenge`.
 *
 * @returns Undefined if the option is missing.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function readChallenge(
  options: OptionReader,
  budgetMs: number,
): ChallengeSettings | undefined {
  if (options.value("challenge") === undefined) return undefined;
  const given = options.group("challenge");
  if (!given) return undefined;
  const secrets = readSecretList(given, "secrets");
  const ttlMs = given.durationMs("ttlMs", 300_000, { max: MAX_TTL_MS });
  return {
    issuer: createTokenIssuer({ secrets, ttlMs }),
    proof: given.object<ChallengeProof>("proof", ["create", "verify"]),
    uses: readUses(given) ?? createMemoryUses(),
    timeoutMs: given.durationMs("timeoutMs", budgetMs),
  };
}

function readUses(options: OptionReader): SingleUseStore | undefined {
  const store = options.value("seen") as { readonly evicts?: unknown } | null | undefined;
  return store === undefined || store?.evicts === false
    ? (store as SingleUseStore | undefined)
    : options.refuse("seen", "a store that never evicts: `createRedisSingleUseStore()`", store);
}
