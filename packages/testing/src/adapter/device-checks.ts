import { deepEqual, equal, match } from "node:assert/strict";
import {
  createDevices,
  createVelocity,
  type Decision,
  type Devices,
  type LoginReport,
  type Reporter,
  type RiskLookup,
} from "@riskgate/core";
import type { VelocityReading } from "@riskgate/core/velocity";
import type { ContractCheck } from "../base/contract-check.js";
import { until } from "../base/process-watch.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequest, rawRequestBytes } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness, LoginPlan } from "./adapter-harness.js";
import { JSON_TYPE, type Lines } from "./known.js";
import { BELIEVE_PEER, gated, SIGN_UP, signUp } from "./sign-up.js";

const SECRET = "device-secret-of-at-least-32-bytes";
const ANN = "ann@shop.example";

const COOKIE =
  /^(__Host-riskgate-device-[\w-]{11}=\d{13}\.[\w-]{22}\.[\w-]{43}); Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax; Secure$/;

function cookieLine(cookie: string): Lines {
  return [["Cookie", `session=1; ${cookie}; theme=dark`]];
}

async function cookieOf(device: Devices): Promise<Lines> {
  const headers = new Headers();
  await device.remember(headers, ANN);
  const [cookie] = headers.getSetCookie().map((line) => line.split(";", 1)[0]!);
  return cookieLine(cookie!);
}

/** Checks of known devices. */
export const deviceChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck(
    "DEV-01",
    "recognises a browser by the cookie that its login set, for that account only",
    async ({ serve }) => {
      const decisions: Decision[] = [];
      const device = createDevices({ secrets: SECRET });
      const options = { lookup: createFakeLookup(), device };
      const [plan] = gated(options, decisions).gates;
      const port = await serve({
        gates: [{ ...plan, twice: true, respond: (to) => device.remember(to, ANN) }],
      });
      const first = await signUp(port, { email: ANN });
      const lines = first.lines.filter(([name]) => name === "set-cookie");
      equal(lines.length, 1);
      match(lines[0]![1], COOKIE);
      const cookie = COOKIE.exec(lines[0]![1])![1]!;
      const more = cookieLine(cookie);
      for (const [email, sent] of [
        [ANN, more],
        [" Ann@SHOP.example", more],
        ["bob@shop.example", more],
        [ANN, cookieLine(cookie.slice(0, -1))],
        [ANN, []],
        [undefined, more],
      ] as const) {
        equal((await signUp(port, { email, more: sent })).status, 200);
      }
      deepEqual(
        decisions.map((decision) => decision.device),
        ["new", "known", "known", "new", "new", "new", undefined],
      );
    },
  ),
  adapterCheck(
    "DEV-02",
    "counts the failed logins of a known device by themselves",
    async ({ serve, patienceMs }) => {
      const velocity = createVelocity({
        counts: "failed_logins",
        limits: { mailbox: { from: 1, to: 101, weight: 100 } },
      });
      const count = (): number =>
        (velocity.read({ email: ANN }) as VelocityReading | undefined)?.signals[0]?.count ?? 0;
      const device = createDevices({ secrets: SECRET, maxFailures: 3 });
      const cookie = await cookieOf(device);
      const standings: unknown[] = [];
      const login = (report: LoginReport): void => void standings.push(report.device);
      const reporter = { login } as unknown as Reporter;
      const options: LoginPlan["options"] = { velocity, device, reporter, ...BELIEVE_PEER };
      const port = await serve({
        logins: [{ path: "/login", options, twice: true, handler: () => 401 }],
      });
      const logIn = async (more: Lines): Promise<void> => {
        const lines = [JSON_TYPE, ...more] as const;
        const body = JSON.stringify({ email: ANN });
        equal((await rawRequest(port, { path: "/login", headers: lines, body })).status, 401);
      };
      for (let index = 0; index < 3; index++) await logIn(cookie);
      // A stranger counts, and so does the device after its budget.
      for (let index = 0; index < 2; index++) await logIn([]);
      await until(() => count() === 2, patienceMs);
      equal(count(), 2);
      for (let index = 0; index < 2; index++) await logIn(cookie);
      await until(() => count() === 4, patienceMs);
      equal(count(), 4);
      await until(() => standings.length === 7, patienceMs);
      const number = (standing: string) => standings.filter((one) => one === standing).length;
      deepEqual(["known", "new", "revoked"].map(number), [3, 2, 2]);
    },
  ),
  adapterCheck(
    "DEV-03",
    "counts no failure of a known device whose client disconnects during the lookups",
    async ({ serve, patienceMs }) => {
      const decisions: Decision[] = [];
      const device = createDevices({ secrets: SECRET, maxFailures: 1 });
      const cookie = await cookieOf(device);
      const slow = createFakeLookup({}, { otherwise: { delayMs: Infinity } });
      let lookup = slow;
      const changing: RiskLookup = {
        lookupIp: async (...args) => lookup.lookupIp(...args),
        lookupEmail: async (...args) => lookup.lookupEmail(...args),
      };
      const port = await serve(gated({ lookup: changing, device, ...BELIEVE_PEER }, decisions));
      for (let index = 1; index <= 3; index++) {
        const connection = await openRawConnection(port);
        const headers = [JSON_TYPE, ["X-Forwarded-For", "9.9.9.9"] as const, ...cookie];
        const body = JSON.stringify({ email: ANN });
        connection.write(rawRequestBytes({ path: SIGN_UP, headers, body }));
        await until(() => slow.calls.length === 2 * index, patienceMs);
        connection.destroy();
        await until(() => slow.calls.every(({ aborted }) => aborted), patienceMs);
      }
      lookup = createFakeLookup();
      await signUp(port, { email: ANN, more: cookie });
      deepEqual(
        decisions.map((decision) => decision.device),
        ["known"],
      );
    },
  ),
  adapterCheck(
    "DEV-04",
    "counts no failure of a known device if a page of another origin sends its cookie",
    async ({ serve, patienceMs }) => {
      const decisions: Decision[] = [];
      const device = createDevices({ secrets: SECRET, maxFailures: 1 });
      const cookie = await cookieOf(device);
      const standings: unknown[] = [];
      const login = (report: LoginReport): void => void standings.push(report.device);
      const options = {
        device,
        reporter: { login } as unknown as Reporter,
        ...BELIEVE_PEER,
      };
      const gates = gated({ lookup: createFakeLookup(), device }, decisions).gates;
      const path = "/login";
      const port = await serve({ gates, logins: [{ path, options, handler: () => 401 }] });
      const logIn = async (site: string): Promise<void> => {
        const headers = [JSON_TYPE, ["Sec-Fetch-Site", site] as const, ...cookie];
        await rawRequest(port, { path, headers, body: JSON.stringify({ email: ANN }) });
      };
      for (let index = 0; index < 3; index++) await logIn("same-site");
      for (let index = 0; index < 3; index++) await logIn("cross-site");
      await until(() => standings.length === 6, patienceMs);
      deepEqual(new Set(standings), new Set(["new"]));
      for (const site of ["same-site", "cross-site", "same-origin"]) {
        await signUp(port, { email: ANN, more: [...cookie, ["Sec-Fetch-Site", site]] });
      }
      deepEqual(
        decisions.map((decision) => decision.device),
        ["new", "new", "known"],
      );
    },
  ),
];
