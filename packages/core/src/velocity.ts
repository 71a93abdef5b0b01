/**
 * Velocity limits: counters, their stores and the types of their options.
 *
 * @module
 */
export {
  type MemoryVelocityStoreOptions,
  createMemoryVelocityStore,
} from "./velocity/memory-store.js";
export type { VelocityFacts } from "./velocity/velocity-counters.js";
export type { VelocityEvent, VelocityLimit, VelocitySubject } from "./velocity/velocity-limits.js";
export type { Tally, VelocityStore } from "./velocity/velocity-store.js";
export {
  type Velocity,
  type VelocityOptions,
  type VelocityReading,
  type VelocitySignal,
  createVelocity,
} from "./velocity/velocity.js";
