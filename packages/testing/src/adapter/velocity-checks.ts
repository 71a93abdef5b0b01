import { deepEqual, equal } from "node:assert/strict";
import { createVelocity, type Decision } from "@riskgate/core";
import type { VelocityFacts, VelocityReading } from "@riskgate/core/velocity";
import type { ContractCheck } from "../base/contract-check.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { until } from "../base/process-watch.js";
import { rawRequest } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness, LoginPlan } from "./adapter-harness.js";
import { JSON_TYPE } from "./known.js";
import { OTHER_PAGES, OWN_PAGE, OWN_PAGES, TRUSTED_ORIGIN } from "./page-headers.js";
import { BELIEVE_PEER, gated, signUp } from "./sign-up.js";

/** Checks of subjects that occur too often. */
export const velocityChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck(
    "VEL-08",
    "flags a flood of aliases, and refuses nobody for it",
    async ({ serve }) => {
      const decisions: Decision[] = [];
      const options = { lookup: createFakeLookup(), velocity: createVelocity(), ...BELIEVE_PEER };
      // Mounted twice: one request is one sign-up.
      const [plan] = gated(options, decisions).gates;
      const port = await serve({ gates: [{ ...plan, twice: true }] });
      const statuses: number[] = [];
      for (let index = 0; index < 6; index++) {
        const who = { email: `ann+${index}@shop.example`, ip: `8.8.${index}.8` };
        statuses.push((await signUp(port, who)).status);
      }
      deepEqual(statuses, [200, 200, 200, 200, 200, 200]);
      deepEqual(
        decisions.map(({ outcome }) => outcome),
        ["allow", "allow", "allow", "flag", "flag", "flag"],
      );
      deepEqual(decisions.at(-1)?.score, 80);
      deepEqual(decisions[3]?.velocity?.signals, [{ name: "mailbox", count: 4, weight: 63 }]);
      equal((await signUp(port, { email: "eve@shop.example", ip: "8.8.9.8" })).status, 200);
    },
  ),
  adapterCheck(
    "VEL-09",
    "counts logins that fail, and no others",
    async ({ serve, patienceMs }) => {
      const velocity = createVelocity({
        counts: "failed_logins",
        limits: { mailbox: { from: 1, to: 101, weight: 100 } },
      });
      // In memory, the result is available immediately.
      const count = (): number | undefined =>
        (velocity.read({ email: "ann@shop.example" }) as VelocityReading | undefined)?.signals[0]
          ?.count;
      const counted = async (wanted: number): Promise<void> => {
        await until(() => count() === wanted, patienceMs);
        equal(count(), wanted);
      };
      let status = 401;
      const options: LoginPlan["options"] = { velocity, ...BELIEVE_PEER };
      const port = await serve({
        logins: [{ path: "/login", options, twice: true, handler: () => status }],
      });
      const logIn = async (email = "Ann@shop.example", ip = "8.8.8.8"): Promise<void> => {
        const headers = [JSON_TYPE, ["X-Forwarded-For", ip]] as const;
        const body = JSON.stringify({ email });
        equal((await rawRequest(port, { path: "/login", headers, body })).status, status);
      };
      for (let index = 0; index < 5; index++) await logIn();
      await counted(5);
      status = 200;
      await logIn();
      status = 403;
      await logIn();
      await counted(6);
      // Handlers trim whitespace, and accept the account from any address.
      await logIn(`Ann@shop.example${" ".repeat(400)}`);
      await counted(7);
      await logIn(undefined, "unknown");
      await counted(8);
    },
  ),
  adapterCheck(
    "VEL-13",
    "takes a failure back if the same account then logs in from the same address",
    async ({ serve, patienceMs }) => {
      const velocity = createVelocity({
        counts: "failed_logins",
        limits: { address: { from: 1, to: 101, weight: 100 }, mailbox: false },
      });
      const adds = (ip: string): number =>
        (velocity.read({ ip }) as VelocityReading | undefined)?.adds ?? 0;
      const reads = async (ip: string, wanted: number): Promise<void> => {
        await until(() => adds(ip) === wanted, patienceMs);
        equal(adds(ip), wanted);
      };
      let status = 401;
      const options: LoginPlan["options"] = { velocity, ...BELIEVE_PEER };
      const port = await serve({
        logins: [{ path: "/login", options, twice: true, handler: () => status }],
      });
      const logIn = async (account: string, ip = "8.8.8.8"): Promise<void> => {
        const headers = [JSON_TYPE, ["X-Forwarded-For", ip]] as const;
        const body = JSON.stringify({ email: `${account}@shop.example` });
        equal((await rawRequest(port, { path: "/login", headers, body })).status, status);
      };
      // Distinct accounts count, not their attempts.
      for (const account of ["ann", "bob", "ann", "eve", "dan"]) await logIn(account);
      await reads("8.8.8.8", 3);
      status = 200;
      await logIn("ann", "9.9.9.9");
      await reads("8.8.8.8", 3);
      await logIn("ann");
      await reads("8.8.8.8", 2);
      // One account's successes count once: three of four still failed.
      for (let index = 0; index < 20; index++) await logIn("ann");
      await reads("8.8.8.8", 2);
      // Three of nine failed, which is a small share.
      for (let index = 0; index < 5; index++) await logIn(`other-${index}`);
      await reads("8.8.8.8", 0);
    },
  ),
  adapterCheck(
    "VEL-14",
    "counts a failed login for all that the gate reads, and an unreadable one for its address",
    async ({ serve, patienceMs }) => {
      const limit = { from: 1, to: 101, weight: 100 };
      const limits = { mailbox: limit, address: limit };
      const velocity = createVelocity({ counts: "failed_logins", limits });
      const countOf = (facts: VelocityFacts): number | undefined =>
        (velocity.read(facts) as VelocityReading | undefined)?.signals[0]?.count;
      const options: LoginPlan["options"] = { velocity, ...BELIEVE_PEER };
      const nested = { ...options, account: "user.email" };
      const port = await serve({
        logins: [
          { path: "/login", options, handler: () => 401 },
          { path: "/nested", options: nested, handler: () => 401 },
        ],
      });
      const ann = "ann@shop.example";
      const bob = "bob@shop.example";
      const rows: readonly (readonly [path: string, body: object, ...counts: unknown[]])[] = [
        // Three failures of one account count once towards its address.
        ["/login", { email: ann }, 3, undefined, undefined],
        ["/login", { email: [ann] }, 6, undefined, undefined],
        ["/nested", { user: { email: ann } }, 9, undefined, undefined],
        ["/login", { email: [ann, bob] }, 12, 3, 3],
        ["/login", { email: `${ann}, ${bob}` }, 15, 6, 3],
        ["/login", { email: { x: ann } }, 15, 6, 3],
        ["/login", { email: null }, 15, 6, 3],
        ["/login", { email: Array.from("abcd") }, 15, 6, 3],
        ["/login", {}, 15, 6, undefined],
      ];
      const logIn = async (path: string, body: object, ip: string): Promise<void> => {
        const headers = [JSON_TYPE, ["X-Forwarded-For", ip], ...OWN_PAGE] as const;
        const answer = await rawRequest(port, { path, headers, body: JSON.stringify(body) });
        equal(answer.status, 401);
      };
      for (const [row, [path, body, ...wanted]] of rows.entries()) {
        const ip = `8.8.${row}.8`;
        for (let sent = 0; sent < 3; sent++) await logIn(path, body, ip);
        const counts = () => [countOf({ email: ann }), countOf({ email: bob }), countOf({ ip })];
        await until(() => String(counts()) === String(wanted), patienceMs);
        deepEqual(counts(), wanted, JSON.stringify(body));
      }
    },
  ),
  adapterCheck(
    "VEL-15",
    "counts what a page of another origin makes a browser send separately",
    async ({ serve }) => {
      const limits = { address: { from: 1, to: 101, weight: 100 }, mailbox: false } as const;
      const velocity = createVelocity({ limits });
      const options = { velocity, ...BELIEVE_PEER, trustedOrigins: [TRUSTED_ORIGIN] };
      const port = await serve(gated({ lookup: createFakeLookup(), ...options }));
      const ip = "9.9.9.9";
      for (const [at, more] of [...OWN_PAGES, ...OTHER_PAGES].entries()) {
        await signUp(port, { email: `person-${at}@shop${at}.example`, ip, more });
      }
      const counts = [false, true].map((crossSite) => {
        const reading = velocity.read({ ip, crossSite }) as VelocityReading | undefined;
        return reading?.signals[0]?.count;
      });
      deepEqual(counts, [OWN_PAGES.length, OTHER_PAGES.length]);
    },
  ),
];
