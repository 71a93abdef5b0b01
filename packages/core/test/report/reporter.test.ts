import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createReporter } from "../../src/report/create-reporter.js";
import type { DroppedReports } from "../../src/outgoing/drop-notice.js";
import { checkEvent, checkLogin } from "../../src/report/report.js";
import type { Reporter } from "../../src/report/reporter.js";
import type { ReporterOptions } from "../../src/report/reporter-options.js";
import { serve } from "../support/serve.js";
import { until } from "../support/until.js";
import { collectWarnings } from "../support/warnings.js";

interface Received {
  readonly path: string;
  readonly key: unknown;
  readonly body: Record<string, unknown>[];
}

interface Stage {
  readonly reporter: Reporter;
  readonly received: Received[];
  readonly drops: DroppedReports[];
}

type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

const accept: Answer = (response, { body }) => {
  const accepted = Array.isArray(body) ? body.length : 1;
  response.end(JSON.stringify({ accepted, duplicates: 0, refused: 0, elements: [], events: [] }));
};

const LOGIN = { account: "ann@example.com", address: "203.0.113.7", success: false } as const;
const KEY = "rgr_the-key-of-the-tests";

/** A reporter in front of a service that answers as told; by default only `flush` sends. */
async function stage(
  answers: Answer | readonly Answer[] = accept,
  options: Partial<ReporterOptions> = {},
): Promise<Stage> {
  const received: Received[] = [];
  const drops: DroppedReports[] = [];
  const script = [answers].flat();
  const port = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Received["body"];
      const one = { path: request.url!, key: request.headers["x-api-key"], body };
      received.push(one);
      const answer = (script.length > 1 ? script.shift() : script[0]) ?? accept;
      answer(response, one, request);
    });
  });
  const reporter = createReporter({
    baseUrl: `http://127.0.0.1:${port}/base`,
    reportKey: KEY,
    intervalMs: 600_000,
    timeoutMs: 60_000,
    flushTimeoutMs: 60_000,
    onDrop: (dropped) => drops.push(dropped),
    ...options,
  });
  onTestFinished(() => reporter.close());
  return { reporter, received, drops };
}

const refuseWith =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end("{}");
  };

describe("a misspelt member of a report", () => {
  it.each<[string, object, RegExp]>([
    ["event", { kind: "xss", ip: "203.0.113.7" }, /^the event only takes `kind`, /],
    ["event", { kind: "xss", adress: "203.0.113.7" }, /did you mean `address`\?$/],
    ["login", { ...LOGIN, date_occurred: new Date() }, /^the login only takes `account`, /],
    ["login", { ...LOGIN, crosssite: true }, /did you mean `crossSite`\?$/],
    ["login", { ...LOGIN, location: { cod: "FRA" } }, /did you mean `code`\?$/],
  ])("is refused with the nearest name: %s %o", (name, report, message) => {
    const check = name === "event" ? checkEvent : checkLogin;
    expect(() => check(report as never)).toThrow(message);
  });
});

it("sends `crossSite` only if it is true", async () => {
  const { reporter, received } = await stage();
  for (const crossSite of [true, false, undefined]) reporter.login({ ...LOGIN, crossSite });
  await reporter.flush();
  expect(received[0]?.body.map((login) => Object.hasOwn(login, "crossSite"))).toEqual([
    true,
    false,
    false,
  ]);
});

it("sends the standing of the device only if it is given", async () => {
  const { reporter, received, drops } = await stage();
  for (const device of ["known", "new", undefined] as const) reporter.login({ ...LOGIN, device });
  reporter.login({ ...LOGIN, device: "seen" as never });
  await reporter.flush();
  expect(received[0]?.body.map((login) => Object.hasOwn(login, "device"))).toEqual([
    true,
    true,
    false,
  ]);
  expect(drops[0]?.error.message).toBe("`device` must be known, new, revoked, given another text");
});

describe("a reporter", () => {
  it("sends events and logins in the form of the service", async () => {
    const { reporter, received } = await stage();
    const at = new Date("2026-01-31T12:00:00.123Z");
    reporter.event({ kind: "sql_injection", address: "::ffff:203.0.113.7", id: "one", at });
    reporter.event({ kind: "xss", account: "ann", userAgent: "x".repeat(600), blocked: true });
    reporter.login({ ...LOGIN, at, known: true });
    await reporter.flush();
    expect(received.map(({ path, key }) => [path, key])).toEqual([
      ["/base/v1/reports/events", KEY],
      ["/base/v1/reports/logins", KEY],
    ]);
    expect(received[0]?.body).toEqual([
      {
        event_id: "one",
        event_kind: "sql_injection",
        date_occurred: "2026-01-31T12:00:00.123000+00:00",
        ips: ["203.0.113.7"],
      },
      {
        event_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        event_kind: "xss",
        date_occurred: expect.any(String) as string,
        application_account_account_keys: [{ name: "login", value: "ann" }],
        user_agent: "x".repeat(512),
        blocked: true,
      },
    ]);
    expect(received[1]?.body).toEqual([
      { ...LOGIN, at: "2026-01-31T12:00:00.123000+00:00", known: true },
    ]);
    expect(reporter.stats()).toMatchObject({ accepted: 3, queued: 0, queuedBytes: 0 });
  });

  it("gives no two logins the same time", async () => {
    const { reporter, received } = await stage();
    for (let n = 0; n < 100; n++) reporter.login(LOGIN);
    await reporter.flush();
    const times = received.flatMap(({ body }) => body.map(({ at }) => at));
    expect(new Set(times).size).toBe(100);
  });

  it("sends nothing in the turn of the request", async () => {
    let asked = 0;
    const fetch = async (): Promise<Response> => {
      asked++;
      return new Response('{"accepted":1,"duplicates":0,"refused":0}');
    };
    const { reporter } = await stage(accept, { fetch, batchSize: 1, intervalMs: 1 });
    reporter.event({ kind: "xss" });
    await Promise.resolve();
    expect(asked).toBe(0);
    await until(() => asked === 1);
  });

  it("gathers reports into batches, and sends a full one at once", async () => {
    const { reporter, received } = await stage(accept, { batchSize: 20 });
    for (let n = 0; n < 45; n++) reporter.login(LOGIN);
    await until(() => received.length === 3);
    expect(received.map(({ body }) => body.length)).toEqual([20, 20, 5]);
  });

  it("sends what waits after the interval", async () => {
    const { reporter, received } = await stage(accept, { intervalMs: 1 });
    reporter.login(LOGIN);
    reporter.count("http4xx");
    await until(() => received.length === 2);
    expect(received.map(({ path }) => path.split("/").at(-1))).toEqual(["counters", "logins"]);
  });

  it("keeps a body within 256 KiB", async () => {
    const { reporter, received } = await stage();
    const description = "\u00e9".repeat(1000);
    for (let n = 0; n < 200; n++) reporter.event({ kind: "xss", description });
    await reporter.flush();
    const sizes = received.map(({ body }) => Buffer.byteLength(JSON.stringify(body)));
    expect(sizes.length).toBeGreaterThan(1);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(257 * 1024);
    expect(reporter.stats().accepted).toBe(200);
  });

  it.each<[string, (reporter: Reporter) => void, RegExp]>([
    [
      "a misspelt kind",
      (r) => r.event({ kind: "sql_injektion" as "xss" }),
      /did you mean "sql_injection"\?/,
    ],
    ["an unknown kind", (r) => r.event({ kind: "unheard-of" as "xss" }), /`kind` must be one of/],
    ["no object", (r) => r.event(undefined as never), /event must be an object, given nothing/],
    ["a wrong address", (r) => r.login({ ...LOGIN, address: "here" }), /`address` must be an IP/],
    ["a missing account", (r) => r.login({ ...LOGIN, account: "" }), /`account` must be an email/],
    ["no outcome", (r) => r.login({ ...LOGIN, success: 1 as never }), /`success` must be true or/],
    ["a wrong time", (r) => r.login({ ...LOGIN, at: new Date(NaN) }), /`at` must be a valid Date/],
    ["an id with blanks", (r) => r.event({ kind: "xss", id: "a b" }), /`id` must be visible/],
    ["an unknown counter", (r) => r.count("http2xx" as "http4xx"), /http4xx, .*given "http2xx"/],
    ["half a count", (r) => r.count("http4xx", 0.5), /`by` must be a whole number/],
    [
      "an object that throws",
      (r) =>
        r.event({
          get kind(): never {
            throw new Error("gone");
          },
        }),
      /reading the report threw an error/,
    ],
  ])("reports %s, and does not fail the request", async (_, report, message) => {
    const { reporter, received, drops } = await stage();
    report(reporter);
    await reporter.flush();
    expect(drops).toMatchObject([{ reports: 1, error: { code: "INVALID_ARGUMENT" } }]);
    expect(drops[0]?.error.message).toMatch(message);
    expect(reporter.stats()).toMatchObject({ refused: 1, queued: 0 });
    expect(received).toEqual([]);
  });

  it("names the clocks if the service takes a report to be from the future", async () => {
    const reason = "`at` must be a time that is not in the future by the clock of the service";
    const { reporter, drops } = await stage((response) => {
      const elements = [{ state: "refused", reason }];
      response.end(JSON.stringify({ accepted: 0, duplicates: 0, refused: 1, elements }));
    });
    reporter.login(LOGIN);
    await reporter.flush();
    expect(drops[0]?.error).toMatchObject({
      message: `the service rejected a report: ${reason}`,
      hint: expect.stringContaining("Compare the clocks"),
    });
  });

  it("reports what the service refuses", async () => {
    const { reporter, drops } = await stage((response) => {
      response.end(
        '{"accepted":1,"duplicates":0,"refused":1,"elements":[{"state":"accepted"},{"state":"refused","reason":"no such thing"}]}',
      );
    });
    reporter.login(LOGIN);
    reporter.login(LOGIN);
    await reporter.flush();
    expect(reporter.stats()).toMatchObject({ accepted: 1, refused: 1 });
    expect(drops[0]?.error.message).toBe("the service rejected a report: no such thing");
  });

  it("drops and counts reports above its limit, while the service never answers", async () => {
    const { reporter, received, drops } = await stage(() => {}, {
      maxQueued: 5,
      batchSize: 2,
      flushTimeoutMs: 1,
    });
    for (let n = 0; n < 100; n++) reporter.login(LOGIN);
    await until(() => received.length === 1);
    for (let n = 0; n < 100; n++) reporter.login(LOGIN);
    expect(reporter.stats()).toMatchObject({ queued: 5, dropped: 195 });
    expect(drops).toMatchObject([{ reports: 1, error: { code: "REPORT_QUEUE_FULL" } }]);
    await reporter.close();
    expect(reporter.stats()).toMatchObject({ queued: 0, queuedBytes: 0, dropped: 200 });
    const told = drops.reduce((sum, { reports }) => sum + reports, 0);
    expect(told).toBe(200);
    expect(new Set(drops.map(({ error }) => error.code))).toEqual(
      new Set(["REPORT_QUEUE_FULL", "ABORTED"]),
    );
  });

  it("keeps within its bytes", async () => {
    const { reporter } = await stage(() => {}, { maxQueuedBytes: 1_000, flushTimeoutMs: 1 });
    for (let n = 0; n < 100; n++) reporter.login(LOGIN);
    const { queued, queuedBytes, dropped } = reporter.stats();
    expect(queuedBytes).toBeLessThanOrEqual(1_000);
    expect(queued).toBeGreaterThan(1);
    expect(queued + dropped).toBe(100);
  });

  it.each<[string, Answer]>([
    ["503", refuseWith(503)],
    ["429 with a time to wait", refuseWith(429, { "retry-after": "0" })],
    ["a lost answer", (_, __, request) => request.socket.destroy()],
  ])("sends the same batch again after %s", async (_, failure) => {
    const { reporter, received, drops } = await stage([failure, accept]);
    reporter.event({ kind: "xss" });
    await reporter.flush();
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toEqual(received[0]?.body);
    expect(reporter.stats()).toMatchObject({ accepted: 1, dropped: 0 });
    expect(drops).toEqual([]);
  });

  it("waits for the time of Retry-After", async () => {
    const { reporter, received } = await stage([refuseWith(503, { "retry-after": "60" }), accept], {
      flushTimeoutMs: 1,
    });
    reporter.login(LOGIN);
    void reporter.flush();
    await until(() => received.length === 1);
    await reporter.close();
    expect(received).toHaveLength(1);
    expect(reporter.stats().dropped).toBe(1);
  });

  it("drops a batch when its attempts are used up", async () => {
    const { reporter, received, drops } = await stage(refuseWith(500), { retries: 1 });
    reporter.login(LOGIN);
    await reporter.flush();
    expect(received).toHaveLength(2);
    expect(drops).toMatchObject([{ reports: 1, error: { code: "UPSTREAM_STATUS", status: 500 } }]);
  });

  it("ends an attempt after its time", async () => {
    const { reporter, drops } = await stage(() => {}, { retries: 0, timeoutMs: 50 });
    reporter.login(LOGIN);
    await reporter.flush();
    expect(drops).toMatchObject([{ reports: 1, error: { code: "TIMEOUT" } }]);
  });

  it.each<[string, Answer, string]>([
    ["401", refuseWith(401), "UNAUTHORIZED"],
    ["404", refuseWith(404), "UPSTREAM_STATUS"],
    ["a redirect", refuseWith(307, { location: "http://127.0.0.1:1/" }), "REDIRECT_REFUSED"],
    ["a page", (response) => void response.end("<html>"), "INVALID_RESPONSE"],
  ])("makes no second attempt after %s", async (_, answer, code) => {
    const { reporter, received, drops } = await stage(answer);
    reporter.login(LOGIN);
    await reporter.flush();
    expect(received).toHaveLength(1);
    expect(drops).toMatchObject([{ reports: 1, error: { code } }]);
    expect(JSON.stringify(drops)).not.toContain(KEY);
  });

  it("continues when the service is back", async () => {
    const { reporter, drops } = await stage(accept, {
      baseUrl: "http://127.0.0.1:1",
      retries: 0,
    });
    reporter.login(LOGIN);
    await reporter.flush();
    expect(drops).toMatchObject([{ error: { code: "NETWORK" } }]);
    reporter.login(LOGIN);
    await reporter.flush();
    expect(reporter.stats().dropped).toBe(2);
  });
});

describe("what a reporter counts", () => {
  it("is sent in one sample for each minute", async () => {
    const { reporter, received } = await stage();
    reporter.count("http4xx");
    reporter.count("http4xx", 3);
    reporter.count("failedLogins");
    await reporter.flush();
    expect(received).toMatchObject([
      {
        path: "/base/v1/reports/counters",
        body: { http4xx: 4, failedLogins: 1, at: expect.stringMatching(/:00\.000Z$/) as string },
      },
    ]);
    expect(reporter.stats().counts).toEqual({ queued: 0, accepted: 5, dropped: 0 });
  });

  it("waits if the service has certainly not accepted it", async () => {
    const { reporter, received } = await stage([refuseWith(503), accept]);
    reporter.count("http5xx", 2);
    await reporter.flush();
    expect(reporter.stats().counts).toEqual({ queued: 2, accepted: 0, dropped: 0 });
    reporter.count("http5xx");
    await reporter.flush();
    expect(received.at(-1)!.body).toMatchObject({ http5xx: 3 });
    expect(reporter.stats().counts).toEqual({ queued: 0, accepted: 3, dropped: 0 });
  });

  it("does not retry early if the service refuses it", async () => {
    const { reporter, received } = await stage(
      (response, one) =>
        one.path.endsWith("/counters")
          ? void response.writeHead(503, { "retry-after": "60" }).end("{}")
          : accept(response, one, response.req),
      { intervalMs: 1, batchSize: 1 },
    );
    reporter.count("http5xx");
    await until(() => received.length === 1);
    for (let sent = 1; sent <= 3; sent++) {
      reporter.login(LOGIN);
      await until(() => reporter.stats().accepted === sent);
    }
    expect(received.filter(({ path }) => path.endsWith("/counters"))).toHaveLength(1);
    expect(reporter.stats().counts.queued).toBe(1);
  });

  it("is never sent twice, even if the answer was lost", async () => {
    const { reporter, received, drops } = await stage([
      (_, __, request) => void request.socket.destroy(),
      accept,
    ]);
    reporter.count("http5xx", 2);
    await reporter.flush();
    await reporter.flush();
    expect(received).toHaveLength(1);
    expect(drops).toMatchObject([{ reports: 0, counts: 2, error: { code: "NETWORK" } }]);
  });
});

describe("a reporter that is closed", () => {
  it("has sent the reports that waited", async () => {
    const { reporter, received } = await stage();
    reporter.login(LOGIN);
    await reporter[Symbol.asyncDispose]();
    expect(received).toHaveLength(1);
  });

  it("does not wait for a service that never answers", async () => {
    const { reporter } = await stage(() => {}, { flushTimeoutMs: 20 });
    reporter.login(LOGIN);
    reporter.count("http4xx");
    await Promise.all([reporter.close(), reporter.close(), reporter.flush()]);
    expect(reporter.stats()).toMatchObject({ dropped: 1, counts: { queued: 0, dropped: 1 } });
  });

  it("drops, counts and reports later reports", async () => {
    const { reporter, drops } = await stage();
    await reporter.close();
    reporter.login(LOGIN);
    reporter.count("http4xx");
    expect(reporter.stats()).toMatchObject({ dropped: 1, counts: { dropped: 1 } });
    expect(drops[0]?.error.code).toBe("ABORTED");
  });
});

describe("createReporter", () => {
  it.each<[string, object, RegExp]>([
    ["a key with blanks", { reportKey: "a b" }, /`reportKey` must be .*, given a string$/],
    ["no key", { reportKey: undefined }, /`reportKey`/],
    ["plain http", { baseUrl: "http://risk.example" }, /`baseUrl` must be an https: URL/],
    ["a misspelled option", { flushTimeout: 1 }, /did you mean `flushTimeoutMs`/],
    ["too large a batch", { batchSize: 401 }, /`batchSize` must be a whole number/],
  ])("refuses %s", (_, options, message) => {
    const given = { baseUrl: "https://risk.example", reportKey: KEY, ...options };
    expect(() => createReporter(given)).toThrow(message);
  });

  it("warns without `onDrop`, and says which member was meant", async () => {
    const warnings = collectWarnings();
    const warned = once(process, "warning");
    const { reporter } = await stage(accept, { onDrop: undefined as never });
    reporter.event({ kind: "xss", acount: "ann@shop.example" } as never);
    expect(await warnings()).toEqual(["RISKGATE_REPORTS_DROPPED"]);
    const [{ message }] = (await warned) as [Error];
    expect(message).toContain("INVALID_ARGUMENT (");
    expect(message).toContain("did you mean `account`?");
    expect(message).not.toContain("ann@");
  });

  it("ignores a hook that throws", async () => {
    const { reporter } = await stage(accept, {
      onDrop() {
        throw new Error("told to fail");
      },
    });
    reporter.event({ kind: "unheard-of" as "xss" });
    await reporter.close();
    expect(reporter.stats().refused).toBe(1);
  });
});
