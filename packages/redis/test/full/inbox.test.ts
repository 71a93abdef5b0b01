import { describe } from "vitest";
import { processCases } from "../support/process-cases.js";
import { hasRedis } from "../support/redis-server.js";

describe
  .skipIf(!hasRedis)
  .concurrent("a webhook behind a Redis inbox (without redis-server: skipped)", () => {
    processCases("ioredis", 5);
    processCases("redis", 5);
  });
