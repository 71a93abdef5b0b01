// A process with a login route, whose attack mode counts in Redis.
import * as core from "@riskgate/core";
import * as adapter from "@riskgate/core/adapter";
import { createRedisAttackStore } from "@riskgate/redis";
import { Redis } from "ioredis";
import { serveLogins } from "../../../../tools/test/serve-logins.mjs";

const { url } = JSON.parse(process.argv[2] ?? "");
const redis = new Redis(url);
redis.on("error", () => {});
await serveLogins(core, adapter, createRedisAttackStore(redis, { timeoutMs: 20_000 }));
