import { equal, ok } from "node:assert/strict";
import { IncomingMessage } from "node:http";
import * as v8 from "node:v8";
import type { RiskLookup } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { fakeEmailAssessment, fakeIpAssessment } from "../fake/fake-assessment.js";
import { growthMiB, settledMemory } from "../base/memory.js";
import { pause, until } from "../base/process-watch.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequestBytes } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { JSON_TYPE } from "./known.js";
import { BELIEVE_PEER, SIGN_UP } from "./sign-up.js";

const LANES = 10;

/** Responds after a moment, and stores nothing that would look like a leak. */
const lookup: RiskLookup = {
  async lookupIp(ip) {
    await pause(1);
    return fakeIpAssessment(ip);
  },
  async lookupEmail(email) {
    await pause(1);
    return fakeEmailAssessment(email);
  },
};

/** Checks of leaks in a long run. */
export const lifeChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck(
    "LIF-06",
    "keeps nothing of requests, of which every fifth is aborted",
    async ({ serve, harness, patienceMs }) => {
      const { lifeRequests = 10_000 } = harness;
      const rounds = Math.ceil(lifeRequests / LANES / 5);
      let handled = 0;
      const handler = (): void => void handled++;
      const options = { lookup, budgetMs: 60_000, ...BELIEVE_PEER };
      const port = await serve({ gates: [{ path: SIGN_UP, options, handler }] });
      const headers = [JSON_TYPE, ["X-Forwarded-For", "8.8.8.8"] as const];
      const bytes = rawRequestBytes({ path: SIGN_UP, headers, body: '{"email":"a@shop.example"}' });
      const lane = async (times: number): Promise<void> => {
        const kept = await openRawConnection(port);
        for (let round = 0; round < times; round++) {
          for (let sent = 0; sent < 4; sent++) {
            kept.write(bytes);
            equal((await kept.answer()).status, 200);
          }
          const left = await openRawConnection(port);
          left.write(bytes);
          await pause(0);
          left.destroy();
          await left.closed;
        }
        kept.destroy();
        await kept.closed;
      };
      const all = async (times: number): Promise<unknown> =>
        Promise.all(Array.from({ length: LANES }, async () => lane(times)));
      await all(Math.ceil(rounds / 4));
      await pause(50);
      handled = 0;
      const requestsBefore = requestsAlive();
      const before = settledMemory();
      await all(rounds);
      await pause(50);
      ok(handled >= LANES * rounds * 4 && handled <= LANES * rounds * 5);
      const sent = LANES * rounds * 5;
      let kept = Infinity;
      await until(() => (kept = requestsAlive() - requestsBefore) < sent / 20, patienceMs);
      ok(kept < sent / 20, `${kept} of ${sent} requests are kept`);
      // Even 100 bytes per request would fill the heap in a long run.
      const growth = (): number => growthMiB(before, "heapUsed") ?? 0;
      const limit = 4 + (sent * 100) / 1_048_576;
      await until(() => growth() < limit, patienceMs);
      ok(growth() < limit, `the heap grew by ${growth()} MiB`);
    },
    300_000,
  ),
];

function requestsAlive(): number {
  return v8.queryObjects(IncomingMessage, { format: "count" });
}
