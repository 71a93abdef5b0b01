import { deepEqual, equal, ok } from "node:assert/strict";
import {
  createRiskClient,
  type Decision,
  type RiskClient,
  type RiskGateError,
} from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import {
  createFakeService,
  type FakeService,
  type FakeServiceOptions,
} from "../fake/fake-service.js";
import { until } from "../base/process-watch.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequestBytes } from "../http/raw-request.js";
import { adapterCheck, type Stage } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { fixedBody, JSON_TYPE, problemBody } from "./known.js";
import { BELIEVE_PEER, gated, SIGN_UP, signUp } from "./sign-up.js";

const UNAVAILABLE = problemBody(
  503,
  "RISK_UNAVAILABLE",
  "The request cannot be checked at the moment",
);
const MAX_CONNECTIONS = 4;
const WHO = { ip: "8.8.8.8", email: "a@shop.example" };

function serviceCheck(
  id: string,
  title: string,
  options: FakeServiceOptions,
  body: (stage: Stage, service: FakeService, client: RiskClient) => Promise<void>,
): ContractCheck<AdapterHarness> {
  return adapterCheck(
    id,
    title,
    async (stage) => {
      const service = await createFakeService(options);
      const client = createRiskClient({
        baseUrl: service.baseUrl,
        apiKey: service.apiKey,
        // Every lookup reaches the service, even right after the same one failed.
        cache: { failureTtlMs: 0 },
        maxConnections: MAX_CONNECTIONS,
        timeoutMs: 60_000,
      });
      try {
        await body(stage, service, client);
      } finally {
        await client.close();
        await service.close();
      }
    },
    60_000,
  );
}

export const outageChecks: readonly ContractCheck<AdapterHarness>[] = [
  serviceCheck(
    "GAT-04",
    "applies whenUnavailable while the service is down",
    {},
    async ({ serve }, service, client) => {
      await service.close();
      for (const whenUnavailable of ["allow", "reject"] as const) {
        const decisions: Decision[] = [];
        const errors: RiskGateError[] = [];
        const onError = (error: RiskGateError): void => void errors.push(error);
        const options = { lookup: client, whenUnavailable, onError, ...BELIEVE_PEER };
        const port = await serve(gated(options, decisions));
        const answer = await signUp(port, WHO);
        deepEqual(
          errors.map(({ code }) => code),
          ["NETWORK", "NETWORK"],
        );
        if (whenUnavailable === "allow") {
          equal(answer.status, 200);
          equal(decisions[0]?.because, "unavailable");
          equal(decisions[0].score, null);
          deepEqual(decisions[0].ip, { state: "failed", fault: "network" });
        } else {
          equal(answer.status, 503);
          equal(fixedBody(answer), UNAVAILABLE);
          ok(Number(answer.header("retry-after")) >= 1);
          equal(decisions.length, 0);
        }
      }
    },
  ),
  serviceCheck(
    "GAT-05",
    "decides in time while the service hangs",
    // With any other budget, the scores would arrive and the sign-up pass.
    { otherwise: { delayMs: 900 } },
    async ({ serve, patienceMs }, service, client) => {
      for (const whenUnavailable of ["allow", "reject"] as const) {
        const decisions: Decision[] = [];
        const onDecision = (decision: Decision): void => void decisions.push(decision);
        const budgetMs = 300;
        const options = { lookup: client, whenUnavailable, budgetMs, onDecision, onError() {} };
        const port = await serve(gated({ ...options, ...BELIEVE_PEER }));
        const startedMs = performance.now();
        equal((await signUp(port, WHO)).status, whenUnavailable === "allow" ? 200 : 503);
        const tookMs = performance.now() - startedMs;
        ok(tookMs >= 295, `took ${tookMs} ms`);
        const late = { state: "failed", fault: "timeout" };
        deepEqual([decisions[0]?.ip, decisions[0]?.email], [late, late]);
      }
      await until(() => service.connections === 0, patienceMs);
      equal(service.connections, 0, "the connections of aborted lookups are closed");
    },
  ),
  serviceCheck(
    "GAT-06",
    "asks about both identifiers at the same time",
    { otherwise: { delayMs: Infinity } },
    async ({ serve, patienceMs }, service, client) => {
      const port = await serve(gated({ lookup: client, onError() {}, ...BELIEVE_PEER }));
      const answer = signUp(port, WHO);
      await until(() => service.peak === 2, patienceMs);
      equal(service.requests.length, 2, "the second lookup waits for the first");
      await service.close();
      equal((await answer).status, 200);
    },
  ),
  adapterCheck("GAT-16", "aborts the lookups of a client that disconnects", async (stage) => {
    const { serve, patienceMs } = stage;
    const lookup = createFakeLookup({}, { otherwise: { delayMs: Infinity } });
    const decisions: Decision[] = [];
    const port = await serve(gated({ lookup, ...BELIEVE_PEER }, decisions));
    const connection = await openRawConnection(port);
    const headers = [JSON_TYPE, ["X-Forwarded-For", WHO.ip] as const];
    const body = JSON.stringify({ email: WHO.email });
    connection.write(rawRequestBytes({ path: SIGN_UP, headers, body }));
    await until(() => lookup.calls.length === 2, patienceMs);
    connection.destroy();
    await connection.closed;
    // A later abort would exceed the check's time limit.
    await until(() => lookup.calls.every(({ aborted }) => aborted), patienceMs / 2);
    deepEqual(
      lookup.calls.map(({ aborted }) => aborted),
      [true, true],
    );
    equal(decisions.length, 0);
  }),
  serviceCheck(
    "GAT-19",
    "respects the client's connection limit under load",
    { otherwise: { delayMs: 50 } },
    async ({ serve }, service, client) => {
      const decisions: Decision[] = [];
      const options = { lookup: client, budgetMs: 300, onError() {} };
      const port = await serve(gated(options, decisions));
      const answers = await Promise.all(
        Array.from({ length: 1000 }, async (_, index) =>
          signUp(port, { email: `user${index}@shop.example` }),
        ),
      );
      deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      ok(service.peak <= MAX_CONNECTIONS, `${service.peak} requests at the same time`);
      equal(decisions.length, 1000);
      const late = decisions.filter(({ email }) => email.state === "failed");
      for (const { email } of late) deepEqual(email, { state: "failed", fault: "timeout" });
    },
  ),
  serviceCheck(
    "GAT-20",
    "lets the policy decide about a refused key",
    { otherwise: { fault: "unauthorized" } },
    async ({ serve, said }, _service, client) => {
      const decisions: Decision[] = [];
      const errors: RiskGateError[] = [];
      const onError = (error: RiskGateError): void => void errors.push(error);
      const port = await serve(gated({ lookup: client, onError }, decisions));
      equal((await signUp(port, { email: WHO.email })).status, 200);
      equal(decisions[0]?.outcome, "flag", "by default a refused key is noticed");
      deepEqual(decisions[0].email, { state: "failed", fault: "unauthorized" });
      deepEqual(
        errors.map(({ code }) => code),
        ["UNAUTHORIZED"],
      );
      const whenUnavailable = { unauthorized: "reject" } as const;
      const closedPort = await serve(gated({ lookup: client, whenUnavailable }));
      for (let times = 0; times < 20; times++) {
        equal((await signUp(closedPort, { email: WHO.email })).status, 503);
      }
      ok(said().filter((line) => line.includes("UNAUTHORIZED")).length <= 1, said().join("\n"));
    },
  ),
  serviceCheck(
    "GAT-21",
    "rejects by cached scores while the service is down",
    { answers: { [WHO.email]: { risk_score: 95 } } },
    async ({ serve }, service, client) => {
      const decisions: Decision[] = [];
      const onDecision = (decision: Decision): void => void decisions.push(decision);
      const options = { lookup: client, whenUnavailable: "reject", onDecision } as const;
      const port = await serve(gated(options));
      equal((await signUp(port, { email: WHO.email })).status, 403);
      await service.close();
      equal((await signUp(port, { email: WHO.email })).status, 403);
      deepEqual(
        decisions.map(({ because, score }) => [because, score]),
        [
          ["score", 95],
          ["score", 95],
        ],
      );
    },
  ),
  adapterCheck("GAT-22", "decides by the lookup that did not fail", async ({ serve }) => {
    const lookup = createFakeLookup({
      [WHO.ip]: { fault: "server" },
      "bad@shop.example": { risk_score: 95 },
      "good@shop.example": { risk_score: 10 },
    });
    for (const [whenUnavailable, status] of [
      ["allow", 200],
      ["flag", 200],
      ["reject", 503],
    ] as const) {
      const decisions: Decision[] = [];
      const options = { lookup, whenUnavailable, onError() {}, ...BELIEVE_PEER };
      const port = await serve(gated(options, decisions));
      const bad = await signUp(port, { ip: WHO.ip, email: "bad@shop.example" });
      equal(bad.status, 403, "the score that was obtained rejects");
      const good = await signUp(port, { ip: WHO.ip, email: "good@shop.example" });
      equal(good.status, status);
      deepEqual(
        decisions.map(({ outcome, because, score }) => [outcome, because, score]),
        status === 200 ? [[whenUnavailable, "unavailable", 10]] : [],
      );
    }
  }),
];
