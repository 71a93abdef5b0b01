import { deepEqual, equal, ok } from "node:assert/strict";
import type { ContractCheck } from "../base/contract-check.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequest, rawRequestBytes } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness, AppPlan } from "./adapter-harness.js";
import { deliver, fixedBody, HOOK, JSON_TYPE, K, V3 } from "./known.js";
import { INBOX, PARITY_MAX_BYTES, PARITY_ROWS } from "./parity-rows.js";
import { BELIEVE_PEER, gated, signUp } from "./sign-up.js";

const OPEN = "/open";

function parityPlan(): Partial<AppPlan> {
  const lookup = createFakeLookup({
    "9.9.9.9": { risk_score: 95 },
    "bad@shop.example": { risk_score: 95 },
    "down@shop.example": { fault: "network" },
  });
  const on = {
    test() {},
    pulse() {
      throw new Error("failed on purpose");
    },
  };
  const options = {
    secrets: K,
    on,
    seen: false,
    maxBytes: PARITY_MAX_BYTES,
    onError() {},
  } as const;
  return {
    webhooks: [
      { path: HOOK, options },
      { path: INBOX, options: { ...options, inbox: { accept: async () => {}, attach() {} } } },
    ],
    ...gated({ lookup, whenUnavailable: "reject", onError() {}, ...BELIEVE_PEER }),
  };
}

/** Checks of equal behaviour in every framework, and of routes without riskgate. */
export const parityChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck(
    "ADP-01",
    "answers fixed requests as every other adapter",
    async ({ serve, harness }) => {
      ok(PARITY_ROWS.length >= 40);
      const port = await serve(parityPlan());
      const differences: object[] = [];
      for (const { title, request, status, body, contentType, headers = {} } of PARITY_ROWS) {
        const answer = await rawRequest(port, request);
        const lines = Object.entries(headers).filter(
          ([name]) => name !== "connection" || !harness.platformConnections,
        );
        const names = ["content-type", ...lines.map(([name]) => name)];
        const got = [answer.status, fixedBody(answer), ...names.map((name) => answer.header(name))];
        const wanted = [status, body, contentType, ...lines.map(([, value]) => value)];
        if (JSON.stringify(got) !== JSON.stringify(wanted))
          differences.push({ title, got, wanted });
      }
      deepEqual(differences, []);
    },
  ),
  adapterCheck("ADP-01", "never reads one body as the next request", async ({ serve }) => {
    const port = await serve(parityPlan());
    let connection = await openRawConnection(port);
    for (const { title, request, status } of PARITY_ROWS) {
      connection.write(rawRequestBytes(request));
      const answer = await connection.answer(request.method);
      equal(answer.status, status, title);
      equal(connection.rest(), "", title);
      if (answer.header("connection") !== "close") continue;
      await connection.closed;
      connection = await openRawConnection(port);
    }
    connection.destroy();
    await connection.closed;
  }),
  adapterCheck("ADP-02", "leaves the routes beside it alone", async ({ serve }) => {
    const lookup = createFakeLookup({}, { otherwise: { risk_score: 95 } });
    const port = await serve({ ...parityPlan(), ...gated({ lookup }), siblings: [OPEN] });
    const body = '{"email":"bad@shop.example","list":[1,"\u00e9"]}';
    const answer = await rawRequest(port, { path: OPEN, headers: [JSON_TYPE], body });
    equal(answer.status, 200);
    deepEqual(JSON.parse(answer.body), JSON.parse(body));
    deepEqual(lookup.calls, []);
    equal((await signUp(port, { email: "bad@shop.example" })).status, 403);
    equal(lookup.calls.length, 1);
  }),
  adapterCheck("R12", "changes nothing for the parsers of other routes", async (stage) => {
    const ports = [
      await stage.serve({ siblings: [OPEN] }),
      await stage.serve({ ...parityPlan(), siblings: [OPEN] }),
    ];
    const large = `["${"x".repeat(1_048_576)}"]`;
    const answers = ports.map(async (port) => {
      await deliver(port, V3.body);
      const refused = await rawRequest(port, { path: OPEN, headers: [JSON_TYPE], body: large });
      const broken = await rawRequest(port, { path: OPEN, headers: [JSON_TYPE], body: "{" });
      const typed = [["Content-Type", "text/csv"]] as const;
      const other = await rawRequest(port, { path: OPEN, headers: typed, body: "a,b" });
      return [refused, broken, other].map(({ status }) => status);
    });
    const [without, beside] = await Promise.all(answers);
    deepEqual(beside, without);
    equal(without?.[0], 413, "the framework's own limit still holds");
    equal(without[1], 400, "the framework's own parser still refuses");
  }),
];
