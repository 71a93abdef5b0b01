export {
  createPostgresVelocityStore,
  type PostgresPool,
  type PostgresVelocityStoreOptions,
} from "./velocity-store.js";
