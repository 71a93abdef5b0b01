import { deepEqual, equal } from "node:assert/strict";
import {
  createVelocity,
  type LoginReport,
  type Reporter,
  type RiskGateError,
} from "@riskgate/core";
import type { VelocityReading } from "@riskgate/core/velocity";
import type { ContractCheck } from "../base/contract-check.js";
import { pause, until } from "../base/process-watch.js";
import type { RawAnswer } from "../http/raw-answer.js";
import { openRawConnection } from "../http/raw-connection.js";
import { rawRequest, rawRequestBytes } from "../http/raw-request.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness, LoginPlan } from "./adapter-harness.js";
import { JSON_TYPE, type Lines } from "./known.js";
import { OTHER_PAGES, OWN_PAGE, OWN_PAGES, TRUSTED_ORIGIN } from "./page-headers.js";
import { BELIEVE_PEER } from "./sign-up.js";

const LOGIN = "/login";
const WHO = { account: "ann@shop.example", address: "8.8.8.8", userAgent: "browser/1" };

function collected(): { readonly logins: LoginReport[]; readonly reporter: Reporter } {
  const logins: LoginReport[] = [];
  const nothing = async (): Promise<void> => {};
  const reporter = {
    login: (login: LoginReport) => void logins.push(login),
    event() {},
    count() {},
    flush: nothing,
    close: nothing,
    [Symbol.asyncDispose]: nothing,
  };
  // A watch does not use a reporter's statistics.
  return { logins, reporter: reporter as unknown as Reporter };
}

function bytesOf(body: unknown = { email: WHO.account }, page: Lines = OWN_PAGE): Buffer {
  const headers = [
    JSON_TYPE,
    ["X-Forwarded-For", WHO.address],
    ["User-Agent", WHO.userAgent],
    ...page,
  ] as const;
  return rawRequestBytes({ path: LOGIN, headers, body: JSON.stringify(body) });
}

async function logIn(port: number, body?: unknown, page?: Lines): Promise<RawAnswer> {
  const connection = await openRawConnection(port);
  try {
    connection.write(bytesOf(body, page));
    return await connection.answer();
  } finally {
    connection.destroy();
    await connection.closed;
  }
}

type LoginOptions = Partial<LoginPlan["options"]>;

function watched(
  reporter: Reporter,
  handler: LoginPlan["handler"],
  options: LoginOptions = {},
): { readonly logins: readonly [LoginPlan] } {
  return {
    logins: [{ path: LOGIN, options: { reporter, ...BELIEVE_PEER, ...options }, handler }],
  };
}

const SETTLE_MS = 50;

export const loginChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck("LGN-01", "reports how a login ended by its status", async (stage) => {
    const { logins, reporter } = collected();
    let status = 200;
    const port = await stage.serve(watched(reporter, () => status));
    const rows: [boolean | undefined, readonly number[]][] = [
      [true, [200, 201, 204, 302]],
      [false, [400, 401, 403, 404, 410, 422, 423]],
      [undefined, [408, 409, 429, 500, 503]],
    ];
    for (const [success, statuses] of rows) {
      for (status of statuses) {
        logins.length = 0;
        equal((await logIn(port)).status, status);
        await until(() => logins.length === 1 || success === undefined, stage.patienceMs);
        if (success === undefined) await pause(SETTLE_MS);
        const expected = success === undefined ? [] : [{ ...WHO, success }];
        deepEqual(logins, expected, `status ${status}`);
      }
    }
  }),
  adapterCheck("LGN-09", "marks logins that a page of another origin sends", async (stage) => {
    const { logins, reporter } = collected();
    const limits = { address: { from: 1, to: 101, weight: 100 }, mailbox: false } as const;
    const velocity = createVelocity({ counts: "failed_logins", limits });
    let accounts = 0;
    const options = { velocity, trustedOrigins: [TRUSTED_ORIGIN] };
    const port = await stage.serve(watched(reporter, () => 401, options));
    for (const [pages, crossSite] of [
      [OTHER_PAGES, { crossSite: true }],
      [OWN_PAGES, {}],
    ] as const) {
      for (const page of pages) {
        logins.length = 0;
        const account = `person-${accounts++}`;
        await logIn(port, { email: account }, page);
        await until(() => logins.length === 1, stage.patienceMs);
        const expected = { ...WHO, account, success: false, ...crossSite };
        deepEqual(logins, [expected], JSON.stringify(page));
      }
      const facts = { ip: WHO.address, ...crossSite };
      const reading = velocity.read(facts) as VelocityReading | undefined;
      equal(reading?.signals[0]?.count, pages.length);
    }
  }),
  adapterCheck("LGN-02", "reports nothing if nobody tries to log in", async (stage) => {
    const { logins, reporter } = collected();
    const port = await stage.serve(watched(reporter, () => 401));
    for (const body of [{}, { email: null }, { email: { x: 1 } }, { email: "" }, [WHO.account]]) {
      await logIn(port, body);
    }
    await logIn(port, { email: "x".repeat(400) });
    await pause(SETTLE_MS);
    deepEqual(logins, []);
  }),
  adapterCheck("LGN-03", "finds account and address by its options", async (stage) => {
    const { logins, reporter } = collected();
    const options: LoginOptions = {
      account: async (body) => (body as { user: string }).user,
      ip: () => "[2001:DB8::1]:443",
    };
    const { logins: plans } = watched(reporter, () => 401, options);
    const { trustedProxies: _, ...rest } = plans[0].options;
    const port = await stage.serve({ logins: [{ ...plans[0], options: rest }] });
    await logIn(port, { user: "ann" });
    await until(() => logins.length === 1, stage.patienceMs);
    deepEqual(logins, [{ ...WHO, account: "ann", address: "2001:db8::1", success: false }]);
  }),
  adapterCheck("LGN-04", "decides by `success` if it is set", async (stage) => {
    const { logins, reporter } = collected();
    const errors: RiskGateError[] = [];
    const words: (() => unknown)[] = [
      () => true,
      async () => false,
      () => undefined,
      () => {
        throw new Error("failed on purpose");
      },
      async () => Promise.reject(new Error("failed on purpose")),
      () => "yes",
    ];
    const statuses: number[] = [];
    let word = 0;
    const success = (status: number): unknown => {
      statuses.push(status);
      return words[word++]?.();
    };
    const onError = (error: RiskGateError): void => void errors.push(error);
    const port = await stage.serve(watched(reporter, () => 429, { success, onError }));
    for (const asked of words.keys()) {
      equal((await logIn(port)).status, 429);
      await until(() => word > asked, stage.patienceMs);
    }
    await pause(SETTLE_MS);
    deepEqual(
      logins.map((login) => login.success),
      [true, false],
    );
    deepEqual(new Set(statuses), new Set([429]));
    deepEqual(
      errors.map(({ code }) => code),
      ["HOOK_FAILED", "HOOK_FAILED"],
    );
  }),
  adapterCheck("LGN-05", "reports the answer to a handler that throws", async (stage) => {
    const { logins, reporter } = collected();
    let status: number | undefined;
    const port = await stage.serve(
      watched(reporter, () => {
        throw Object.assign(
          new Error("failed on purpose"),
          status && { status, statusCode: status },
        );
      }),
    );
    equal((await logIn(port)).status, 500);
    status = 401;
    equal((await logIn(port)).status, 401);
    await until(() => logins.length > 0, stage.patienceMs);
    await pause(SETTLE_MS);
    deepEqual(logins, [{ ...WHO, success: false }]);
  }),
  adapterCheck(
    "LGN-06",
    "reports the handler's status for a client that has gone",
    async (stage) => {
      const { logins, reporter } = collected();
      const ends: ((status: number | Error) => void)[] = [];
      const handler = (): Promise<number> =>
        new Promise((resolve, reject) => {
          ends.push((end) => (end instanceof Error ? reject(end) : resolve(end)));
        });
      const port = await stage.serve(watched(reporter, handler));
      const wrong = Object.assign(new Error("wrong"), { status: 401, statusCode: 401 });
      for (const [end, expected] of [
        [401, [false]],
        [200, [true]],
        [wrong, [false]],
        [new Error("failed on purpose"), []],
      ] as const) {
        logins.length = 0;
        ends.length = 0;
        const connection = await openRawConnection(port);
        connection.write(bytesOf());
        await until(() => ends.length === 1, stage.patienceMs);
        connection.destroy();
        await connection.closed;
        await pause(SETTLE_MS);
        deepEqual(logins, [], "nothing has been answered yet");
        ends[0]?.(end);
        await until(() => logins.length === expected.length, stage.patienceMs);
        await pause(SETTLE_MS);
        deepEqual(
          logins.map(({ success }) => success),
          expected,
          String(end),
        );
      }
    },
  ),
  adapterCheck("LGN-07", "makes one report for each request", async (stage) => {
    const { logins, reporter } = collected();
    const { logins: plans } = watched(reporter, () => 401);
    const port = await stage.serve({ logins: [{ ...plans[0], twice: true }] });
    const connection = await openRawConnection(port);
    for (let sent = 1; sent <= 3; sent++) {
      connection.write(bytesOf());
      await connection.answer();
      await until(() => logins.length === sent, stage.patienceMs);
    }
    connection.destroy();
    await connection.closed;
    await pause(SETTLE_MS);
    equal(logins.length, 3);
  }),
  adapterCheck("LGN-08", "does not let a reporter fail a login", async (stage) => {
    const errors: RiskGateError[] = [];
    const { reporter } = collected();
    reporter.login = () => {
      throw new Error("failed on purpose");
    };
    const onError = (error: RiskGateError): void => void errors.push(error);
    const port = await stage.serve(watched(reporter, () => 401, { onError }));
    const answer = await rawRequest(port, {
      path: LOGIN,
      headers: [JSON_TYPE],
      body: JSON.stringify({ email: WHO.account }),
    });
    equal(answer.status, 401);
    await until(() => errors.length === 1, stage.patienceMs);
    equal(errors[0]?.code, "HOOK_FAILED");
  }),
];
