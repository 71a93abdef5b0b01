export { createRedisAttackStore, type RedisAttackStoreOptions } from "./attack-store.js";
export { createRedisCache, type RedisCacheOptions } from "./cache.js";
export type { IoredisClient, NodeRedisClient, RedisClient } from "./client.js";
export { createRedisInbox, type RedisInbox, type RedisInboxOptions } from "./inbox.js";
export { createRedisSeenStore, type RedisSeenStoreOptions } from "./seen-store.js";
export { createRedisSingleUseStore, type RedisSingleUseStoreOptions } from "./single-use-store.js";
export { createRedisVelocityStore, type RedisVelocityStoreOptions } from "./velocity-store.js";
export { createRedisDeviceStore, type RedisDeviceStoreOptions } from "./device-store.js";
export { createRedisBlockStore, type RedisBlockStoreOptions } from "./block-store.js";
