/**
 * Velocity limits: counters, their stores and the types of their options.
 *
 * @module
 */
export type { Velocity, VelocityEvent, VelocityFacts } from "./model/velocity.js";
export type {
  VelocityKey,
  VelocityReading,
  VelocitySignal,
  VelocitySubject,
} from "./model/velocity-reading.js";
export {
  type MemoryVelocityStoreOptions,
  createMemoryVelocityStore,
} from "./velocity/memory-store.js";
export type { VelocityKeyLimit, VelocityLimit } from "./velocity/velocity-limits.js";
export type { Tally, VelocityStore } from "./velocity/velocity-store.js";
export { type VelocityOptions, createVelocity } from "./velocity/velocity.js";
