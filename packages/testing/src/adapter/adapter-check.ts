import { AssertionError, equal, ok } from "node:assert/strict";
import { limitTime } from "@riskgate/core/internal";
import type { ContractCheck } from "../base/contract-check.js";
import { PATIENCE_MS, watchProcess } from "../base/process-watch.js";
import { rawRequest } from "../http/raw-request.js";
import { createPayloads } from "../delivery/payloads.js";
import { signDelivery } from "../delivery/sign-delivery.js";
import type { AdapterHarness, AppPlan, ServedApp } from "./adapter-harness.js";
import { SECRETS } from "./known.js";

/** Environment of one check, which closes its applications and examines the whole log. */
export interface Stage {
  readonly harness: AdapterHarness;
  /** Serves an application with the plan, and a webhook that shows that it still responds. */
  readonly serve: (plan: Partial<AppPlan>) => Promise<number>;
  /** Returns log lines of the framework, and process warnings as `CODE text`. */
  readonly said: () => readonly string[];
  /** Time limit for events that should occur immediately. */
  readonly patienceMs: number;
}

const ALIVE = "/alive";

/**
 * Creates a check of the adapter contract. After its own assertions, each check asserts that every
 * application still accepts a valid delivery, closes and leaks nothing, and that no log line
 * contains a secret.
 * @param timeoutMs For checks that send many requests; the others end within the time limit of the
 * harness.
 */
export function adapterCheck(
  id: string,
  title: string,
  body: (stage: Stage) => Promise<void>,
  timeoutMs?: number,
): ContractCheck<AdapterHarness> {
  return {
    id,
    title,
    // The check itself, then three waits.
    timeoutMs: (timeoutMs ?? PATIENCE_MS) + 3 * PATIENCE_MS,
    async run(harness) {
      const { patienceMs = PATIENCE_MS } = harness;
      const watch = await watchProcess();
      const lines: string[] = [];
      const apps: ServedApp[] = [];
      const said = (): string[] => [
        ...lines,
        ...watch.warnings.map(({ code, text }) => `${code} ${text}`),
      ];
      try {
        const stage: Stage = {
          harness,
          said,
          patienceMs,
          async serve(plan) {
            const app = await harness.serve(complete(plan, (line) => lines.push(line)));
            apps.push(app);
            return app.port;
          },
        };
        await within(timeoutMs ?? patienceMs, body(stage), "the check did not end");
        const alive = Promise.all(apps.map(assertAlive));
        await within(patienceMs, alive, "the application is not alive");
        const closing = Promise.all(apps.splice(0).map(async (app) => app.close()));
        await within(patienceMs, closing, "the application did not close");
        await watch.end(patienceMs);
        for (const line of said()) {
          ok(
            !SECRETS.some((secret) => line.includes(secret)),
            `a log line contains a secret: ${line}`,
          );
          ok(!/\b[0-9a-f]{64}\b/.test(line), `a log line contains a digest: ${line}`);
        }
      } finally {
        watch.stop();
        await Promise.all(apps.map(async (app) => app.close()));
      }
    },
  };
}

const { test } = createPayloads("alive");

function complete(plan: Partial<AppPlan>, log: (line: string) => void): AppPlan {
  const alive = { path: ALIVE, options: { secrets: SECRETS[0]!, on: { test() {} } } };
  return {
    gates: [],
    logins: [],
    siblings: [],
    host: "127.0.0.1",
    trustEverybody: false,
    log,
    ...plan,
    webhooks: [...(plan.webhooks ?? []), alive],
  };
}

async function assertAlive({ port }: ServedApp): Promise<void> {
  const { body, headers } = signDelivery([test()], SECRETS[0]!);
  const answer = await rawRequest(port, { path: ALIVE, headers: Object.entries(headers), body });
  equal(answer.status, 204, "the application is not alive");
}

/** Fails the check if a response never arrives, even if the test runner has no time limit. */
function within(ms: number, work: Promise<unknown>, message: string): Promise<unknown> {
  const late = (): never => {
    throw new AssertionError({ message });
  };
  return limitTime(work, ms, late, true);
}
