export { createPostgresAttackStore, type PostgresAttackStoreOptions } from "./attack-store.js";
export { createPostgresBlockStore, type PostgresBlockStoreOptions } from "./block-store.js";
export { createPostgresDeviceStore, type PostgresDeviceStoreOptions } from "./device-store.js";
export type { PostgresPool } from "./open-table.js";
export {
  createPostgresSingleUseStore,
  type PostgresSingleUseStoreOptions,
} from "./single-use-store.js";
export {
  createPostgresVelocityStore,
  type PostgresVelocityStoreOptions,
} from "./velocity-store.js";
