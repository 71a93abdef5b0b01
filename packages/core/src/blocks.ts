/**
 * Shared block lists: their stores and the types of their options.
 *
 * @module
 */
export {
  type BlockChange,
  type BlockChanges,
  type BlockStore,
  createMemoryBlockStore,
  type MemoryBlockStoreOptions,
  type StoredBlock,
} from "./lists/block-store.js";
export {
  createServiceBlockStore,
  type ServiceBlockStoreOptions,
} from "./lists/service-block-store.js";
export {
  type BlockList,
  type BlockListOptions,
  createBlockList,
  type SharedBlockList,
} from "./lists/block-list.js";
