import { createChallenge, type Payload, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { readOptions } from "../base/options.js";
import { hmac } from "../base/platform.js";
import type { ChallengeOptions } from "./challenge-options.js";
import type { ChallengeProof } from "./challenge-proof.js";
import { readSecretList } from "./challenge-secrets.js";

export interface AltchaChallengeOptions extends Omit<ChallengeOptions, "secrets" | "proof"> {
  /**
   * Signs tokens and tasks: random text of at least 32 bytes. Of several secrets, the first signs
   * and all verify.
   */
  readonly secret: string | readonly string[];
  /** Tries that a score of 0 costs at most, each of `iterations`; default 200. */
  readonly minTries?: number;
  /** Tries that a score of 100 costs at most; default 8,000. */
  readonly maxTries?: number;
  /** PBKDF2 iterations of one try, default 5,000. */
  readonly iterations?: number;
}

/** Longest solution in characters; those of the widget have about 1,000. */
const MAX_LENGTH = 8_192;

/**
 * Creates the option `challenge` of a gate with a proof of work, which the ALTCHA widget computes
 * without a vendor. Requires the package `altcha-lib`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createAltchaChallenge(options: AltchaChallengeOptions): ChallengeOptions {
  return readOptions("createAltchaChallenge", options, (given) => {
    const secrets = readSecretList(given, "secret");
    const minTries = given.integer("minTries", 200);
    const maxTries = given.integer("maxTries", 8_000, { min: minTries });
    const cost = given.integer("iterations", 5_000);
    const rest = Object.fromEntries(
      // The gate reads these.
      ["ttlMs", "timeoutMs", "seen"].flatMap((name) => {
        const value = given.value(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const proof = createProof(secrets, { minTries, maxTries, cost });
    return { ...rest, secrets, proof };
  });
}

interface Cost {
  readonly minTries: number;
  readonly maxTries: number;
  readonly cost: number;
}

function createProof(
  secrets: readonly string[],
  { minTries, maxTries, cost }: Cost,
): ChallengeProof {
  const keys = secrets.map((secret) => ({
    hmacSignatureSecret: hmac(secret, "riskgate altcha task", "hex"),
    hmacKeySignatureSecret: hmac(secret, "riskgate altcha solution", "hex"),
  }));
  return {
    member: "altcha",
    create({ token, expiresAt, score }) {
      const tries = Math.round(minTries * (maxTries / minTries) ** (score / 100));
      return createChallenge({
        algorithm: "PBKDF2/SHA-256",
        cost,
        // The number of tries is at least half, so luck never makes a task cheap.
        counter: randomBetween(Math.ceil(tries / 2), tries),
        data: { token },
        deriveKey,
        expiresAt,
        ...keys[0]!,
      });
    },
    async verify(given, token) {
      const payload = readPayload(given);
      if (payload?.challenge.parameters.data?.["token"] !== token) return false;
      // A copy of two members: others would be options of the verification.
      const { challenge, solution } = payload;
      for (const key of keys) {
        const { verified } = await verifySolution({ challenge, solution, deriveKey, ...key });
        if (verified) return true;
      }
      return false;
    },
  };
}

function randomBetween(min: number, max: number): number {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return min + (random! % (max - min + 1));
}

/** Returns what the widget sends, base64 of JSON; undefined for any other value. */
function readPayload(value: unknown): Payload | undefined {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return undefined;
  try {
    const payload = JSON.parse(atob(value)) as Partial<Payload> | null;
    const parameters: unknown = payload?.challenge?.parameters;
    const isWhole =
      typeof parameters === "object" &&
      parameters !== null &&
      typeof payload?.solution === "object";
    // Only signed tasks have a signature of the key; without it, one try would be derived again.
    const isSigned = isWhole && typeof payload.challenge?.parameters.keySignature === "string";
    return isSigned ? (payload as Payload) : undefined;
  } catch {
    return undefined;
  }
}
