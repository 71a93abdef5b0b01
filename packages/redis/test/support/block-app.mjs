// A process of its own whose block list is in Redis.
import * as core from "@riskgate/core";
import { createRedisBlockStore } from "@riskgate/redis";
import { Redis } from "ioredis";
import { serveBlocks } from "../../../../tools/test/serve-blocks.mjs";

const { url } = JSON.parse(process.argv[2] ?? "");
const redis = new Redis(url);
redis.on("error", () => {});
await serveBlocks(core, createRedisBlockStore(redis, { onError() {} }));
