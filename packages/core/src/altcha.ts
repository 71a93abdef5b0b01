/**
 * A proof of work as the challenge of a gate, with the package `altcha-lib`.
 *
 * @module
 */
export {
  type AltchaChallengeOptions,
  createAltchaChallenge,
} from "./challenge/altcha-challenge.js";
export type { ChallengeProof } from "./challenge/challenge-proof.js";
