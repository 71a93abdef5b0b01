/**
 * Attack mode of a login route: its stores and the types of its options.
 *
 * @module
 */
export type { AttackReading, AttackSign, LoginCounts, LoginEnding } from "./model/attack.js";
export type { AttackMode } from "./attack/attack-option.js";
export { type AttackModeOptions, createAttackMode } from "./attack/attack-mode.js";
export {
  type AttackCount,
  type AttackStore,
  createMemoryAttackStore,
} from "./attack/attack-store.js";
