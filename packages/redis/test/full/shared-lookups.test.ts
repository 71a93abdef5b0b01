import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createFakeService } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasRedis, startRedis } from "../support/redis-server.js";

const PROGRAM = fileURLToPath(new URL("../support/lookups.mjs", import.meta.url));
const PROCESSES = 10;
const REQUESTS = 10_000;
const ADDRESSES = 100;

describe.skipIf(!hasRedis)(
  "ten processes with one Redis cache (without redis-server: skipped)",
  () => {
    it("R21 ask the service once for each address", async () => {
      const server = await startRedis();
      onTestFinished(async () => server.close());
      const service = await createFakeService({ otherwise: { risk_score: 7, delayMs: 30 } });
      onTestFinished(async () => service.close());
      const settings = {
        url: server.url,
        baseUrl: service.baseUrl,
        apiKey: service.apiKey,
        prefix: "test:",
        addresses: ADDRESSES,
        requests: REQUESTS / PROCESSES,
        // Longer than a busy machine takes for one call: what is counted is calls, not time.
        flightMs: 20_000,
      };
      const children: ChildProcess[] = [];
      onTestFinished(() => void children.map((child) => child.kill("SIGKILL")));
      await Promise.all(
        Array.from({ length: PROCESSES }, async () => {
          const child = spawn(process.execPath, [PROGRAM, JSON.stringify(settings)], {
            stdio: ["pipe", "pipe", "inherit"],
          });
          children.push(child);
          await once(child.stdout, "data");
        }),
      );
      const codes = children.map(async (child) => once(child, "exit"));
      for (const child of children) child.stdin?.end();
      for (const [code] of await Promise.all(codes)) expect(code).toBe(0);
      expect(service.requests.length).toBeGreaterThanOrEqual(ADDRESSES);
      expect(service.requests.length).toBeLessThanOrEqual(ADDRESSES * 1.1);
    });
  },
);
