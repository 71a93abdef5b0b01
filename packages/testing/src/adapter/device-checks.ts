import { deepEqual, equal, match } from "node:assert/strict";
import {
  createDevices,
  createVelocity,
  type Decision,
  type LoginReport,
  type Reporter,
} from "@riskgate/core";
import type { VelocityReading } from "@riskgate/core/velocity";
import type { ContractCheck } from "../base/contract-check.js";
import { until } from "../base/process-watch.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { rawRequest } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness, LoginPlan } from "./adapter-harness.js";
import { JSON_TYPE, type Lines } from "./known.js";
import { BELIEVE_PEER, gated, signUp } from "./sign-up.js";

const SECRET = "device-secret-of-at-least-32-bytes";
const ANN = "ann@shop.example";

const COOKIE =
  /^(__Host-riskgate-device-[\w-]{11}=\d{13}\.[\w-]{22}\.[\w-]{43}); Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax; Secure$/;

function cookieLine(cookie: string): Lines {
  return [["Cookie", `session=1; ${cookie}; theme=dark`]];
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
      const headers = new Headers();
      await device.remember(headers, ANN);
      const [cookie] = headers.getSetCookie().map((line) => line.split(";", 1)[0]!);
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
      for (let index = 0; index < 3; index++) await logIn(cookieLine(cookie!));
      // A stranger counts, and so does the device after its budget.
      for (let index = 0; index < 2; index++) await logIn([]);
      await until(() => count() === 2, patienceMs);
      equal(count(), 2);
      for (let index = 0; index < 2; index++) await logIn(cookieLine(cookie!));
      await until(() => count() === 4, patienceMs);
      equal(count(), 4);
      await until(() => standings.length === 7, patienceMs);
      const number = (standing: string) => standings.filter((one) => one === standing).length;
      deepEqual(["known", "new", "revoked"].map(number), [3, 2, 2]);
    },
  ),
];
