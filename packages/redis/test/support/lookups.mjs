// One process of an application that looks addresses up through a shared cache. Its settings are one
// JSON text; it begins when its standard input ends.
import { createRiskClient } from "@riskgate/core";
import { createRedisCache } from "@riskgate/redis";
import { Redis } from "ioredis";

const { url, baseUrl, apiKey, prefix, addresses, requests, flightMs } = JSON.parse(
  process.argv[2] ?? "",
);
const redis = new Redis(url);
const store = createRedisCache(redis, { prefix, flightMs, timeoutMs: 20_000 });
const client = createRiskClient({ baseUrl, apiKey, timeoutMs: 60_000, cache: { store } });
await redis.ping();
process.stdout.write("ready\n");
process.stdin.resume().once("end", () => void run());

async function run() {
  const asks = Array.from({ length: requests }, async (_, index) => {
    const at = (index * 7919) % addresses;
    const { risk_score: score } = await client.lookupEmail(`user-${at}@shop.example`);
    if (score !== 7) throw new Error(`${score}`);
  });
  await Promise.all(asks);
  await client.close();
  redis.disconnect();
}
