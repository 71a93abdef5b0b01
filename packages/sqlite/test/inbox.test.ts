import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Receipt } from "@riskgate/core";
import type { AcceptedDelivery } from "@riskgate/core/payloads";
import { webhookRoute } from "@riskgate/express";
import { serveHttp, signDelivery } from "@riskgate/testing";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSqliteInbox, type SqliteInboxOptions } from "../src/inbox.js";
import { openSite, type Site } from "./support/app.js";

const EMPTY = { waiting: 0, active: 0, delayed: 0, parked: 0 };

const idsOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

const each = (ids: readonly string[], count = 1): Record<string, number> =>
  Object.fromEntries(ids.map((id) => [id, count]));

const deliveryOf = (...ids: string[]): AcceptedDelivery => ({
  body: Buffer.from(JSON.stringify(ids.map((id) => ({ id })))),
  secretId: "0",
});

const DONE: Receipt = {
  status: 204,
  handled: 1,
  duplicates: 0,
  ignored: [],
  failed: [],
  pending: 0,
};
const FAILED: Receipt = { ...DONE, status: 500, code: "HANDLER_FAILED", handled: 0, pending: 1 };

function site(): Site {
  const opened = openSite();
  onTestFinished(async () => opened.close());
  return opened;
}

function inboxIn(directory: string, options: Partial<SqliteInboxOptions> = {}) {
  const inbox = createSqliteInbox({ directory, backoffMs: 1, onError() {}, ...options });
  onTestFinished(async () => inbox.close());
  return inbox;
}

/** An inbox of this process, with an element parked in it. */
async function withParked(directory: string, options: Partial<SqliteInboxOptions> = {}) {
  const inbox = inboxIn(directory, { maxAttempts: 1, ...options });
  const answers = { receipt: FAILED };
  const handled: string[] = [];
  inbox.attach(async ({ body }) => {
    handled.push(Buffer.from(body).toString());
    return answers.receipt;
  });
  await inbox.accept(deliveryOf("a"));
  await expect.poll(async () => (await inbox.counts()).parked).toBe(1);
  return { inbox, answers, handled };
}

describe("an application behind an SQLite inbox", () => {
  it("INB-04 handles after a restart what was accepted before kill -9", async () => {
    const { start, starts, ends } = site();
    const ids = idsOf("slow", 10);
    const first = await start({ slowMs: 60_000 });
    expect(await first.post(ids)).toBe(202);
    await expect.poll(starts).toEqual({ "slow-0": 1 });
    await first.kill("SIGKILL");
    await start();
    await expect.poll(ends).toEqual(each(ids));
    expect(starts()).toEqual({ ...each(ids), "slow-0": 2 });
  });

  it("INB-07 parks an element that ends the process 5 times, and only that", async () => {
    const { directory, start, starts, ends } = site();
    const ids = [...idsOf("good", 5), "kill-0", ...idsOf("fine", 4)];
    const first = await start();
    // The answer may come too late: the process ends at once.
    await first.post(ids).catch(() => {});
    await first.ended;
    for (let deaths = 1; deaths < 5; deaths++) {
      const next = await start();
      await next.ended;
    }
    const last = await start();
    expect(await last.post(["other"])).toBe(202);
    const others = ["other", ...ids.filter((id) => id !== "kill-0")];
    await expect.poll(() => Object.keys(ends()).toSorted()).toEqual(others.toSorted());
    await last.kill("SIGTERM");
    expect(starts()["kill-0"]).toBe(5);
    const inbox = inboxIn(directory);
    expect(await inbox.counts()).toEqual({ ...EMPTY, parked: 1 });
    expect(await inbox.parked()).toMatchObject([
      { delivery: { firstIndex: 5 }, reason: "attempt 5 ended with the process" },
    ]);
  });

  it("INB-09 ends after SIGTERM, and handles the rest after a restart", async () => {
    const { start, starts, ends } = site();
    const ids = idsOf("slow", 100);
    const first = await start({ slowMs: 20 });
    for (let at = 0; at < 100; at += 20) expect(await first.post(ids.slice(at, at + 20))).toBe(202);
    expect(await first.kill("SIGTERM")).toBe(0);
    expect(starts()).toEqual(ends());
    await start();
    await expect.poll(ends).toEqual(each(ids));
    expect(starts()).toEqual(each(ids));
  });

  it("counts a handler that outlasts the stop as one attempt", async () => {
    const { start, starts, ends } = site();
    const first = await start({ slowMs: 60_000, closeTimeoutMs: 10 });
    expect(await first.post(["slow-0", "a"])).toBe(202);
    await expect.poll(starts).toEqual({ "slow-0": 1 });
    // Its handler keeps the process.
    void first.kill("SIGTERM");
    await start();
    await expect.poll(ends).toEqual({ "slow-0": 1, a: 1 });
    expect(starts()).toEqual({ "slow-0": 2, a: 1 });
  });

  it("waits for the process that holds the directory, and takes over from it", async () => {
    const { directory, start, starts } = site();
    const first = await start({ slowMs: 60_000 });
    expect(await first.post(["slow-0"])).toBe(202);
    await expect.poll(starts).toEqual({ "slow-0": 1 });
    const second = inboxIn(directory);
    const handled: unknown[] = [];
    second.attach(async ({ body }) => {
      handled.push(JSON.parse(Buffer.from(body).toString()));
      return DONE;
    });
    const accepting = second.accept(deliveryOf("b"));
    await first.kill("SIGKILL");
    await accepting;
    await expect.poll(async () => second.counts()).toEqual(EMPTY);
    expect(handled).toHaveLength(2);
  });
});

describe("a webhook route with an SQLite inbox", () => {
  it("INB-01 answers 503 while another process holds the directory", async () => {
    const { directory } = site();
    const first = inboxIn(directory);
    await first.ready();
    const inbox = inboxIn(directory, { lockTimeoutMs: 60_000 });
    const on = { unknown() {} };
    const route = webhookRoute({ secrets: "s3cret", on, inbox, inboxTimeoutMs: 500, onError() {} });
    const server = await serveHttp(express().post("/", route));
    onTestFinished(async () => server.close());
    const { body, headers } = signDelivery([{ service_payload_type: "of_the_test" }], "s3cret");
    const post = async () =>
      fetch(`http://127.0.0.1:${server.port}/`, { method: "POST", body, headers });
    const refused = await post();
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    await first.close();
    await expect.poll(async () => (await post()).status).toBe(202);
  });
});

describe("createSqliteInbox", () => {
  it("refuses a second process by name", async () => {
    const { directory } = site();
    await inboxIn(directory).ready();
    const second = inboxIn(directory, { lockTimeoutMs: 1 });
    const expected = {
      code: "CONFIG_INVALID",
      message: expect.stringContaining(`in use by process ${process.pid}`) as string,
    };
    await expect(second.ready()).rejects.toMatchObject(expected);
    await expect(second.accept(deliveryOf("a"))).rejects.toMatchObject(expected);
    await expect(second.counts()).rejects.toMatchObject(expected);
  });

  it.each([
    [
      "a file that is no database",
      "STORE_FAILED",
      (path: string) => writeFileSync(path, "x".repeat(9_000)),
    ],
    ["a directory in its place", "STORE_FAILED", (path: string) => mkdirSync(path)],
  ])("reports %s", async (_, code, make) => {
    const { directory } = site();
    mkdirSync(directory);
    make(join(directory, "inbox.db"));
    const reported: string[] = [];
    const inbox = inboxIn(directory, { onError: (error) => reported.push(error.code) });
    inbox.attach(async () => DONE);
    await expect(inbox.ready()).rejects.toMatchObject({ code });
    await expect.poll(() => reported).toEqual([code]);
  });

  it("keeps its directory to the user of the process", async () => {
    const { directory } = site();
    await inboxIn(directory).ready();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it("keeps its files to that user in a directory that others can read", async () => {
    const { directory } = site();
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o755);
    await inboxIn(directory).ready();
    const modes = readdirSync(directory).map((name) => [
      name,
      statSync(join(directory, name)).mode & 0o777,
    ]);
    expect(modes).toContainEqual(["inbox.db-wal", 0o600]);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
  });

  it.skipIf(process.platform === "win32").each(["lock", "inbox.db"])(
    "refuses a planted link in place of %s",
    async (name) => {
      const { directory } = site();
      mkdirSync(directory, { recursive: true });
      const victim = join(directory, "victim");
      writeFileSync(victim, "", { mode: 0o644 });
      for (const planted of [name, "holder.json"]) symlinkSync(victim, join(directory, planted));
      await expect(inboxIn(directory).ready()).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: `${join(directory, name)} is a symbolic link`,
      });
      expect(statSync(victim)).toMatchObject({ size: 0, mode: 0o100644 });
    },
  );

  it("lists what is parked, and tries it again with all attempts", async () => {
    const { directory } = site();
    const { inbox, answers, handled } = await withParked(directory);
    const [parked] = await inbox.parked();
    expect(parked).toMatchObject({ reason: "attempt 1 failed: HANDLER_FAILED" });
    expect(Buffer.from(parked?.delivery.body ?? []).toString()).toBe('[{"id":"a"}]');
    expect(Date.now() - (parked?.parkedMs ?? 0)).toBeLessThan(60_000);
    answers.receipt = DONE;
    expect(await inbox.retryParked()).toBe(1);
    await expect.poll(async () => inbox.counts()).toEqual(EMPTY);
    expect(handled).toEqual(['[{"id":"a"}]', '[{"id":"a"}]']);
  });

  it("drops the oldest of what is parked past `maxParked`", async () => {
    const { directory } = site();
    const { inbox, handled } = await withParked(directory, { maxParked: 2, concurrency: 1 });
    for (const id of ["b", "c"]) await inbox.accept(deliveryOf(id));
    await expect.poll(() => handled).toHaveLength(3);
    await expect.poll(async () => inbox.counts()).toEqual({ ...EMPTY, parked: 2 });
    const bodies = (await inbox.parked()).map(({ delivery }) => String(delivery.body));
    expect(bodies).toEqual(['[{"id":"c"}]', '[{"id":"b"}]']);
  });

  it("waits between attempts, and longer each time", async () => {
    const { directory } = site();
    const inbox = inboxIn(directory, { backoffMs: 3_600_000, maxAttempts: 3 });
    inbox.attach(async () => FAILED);
    await inbox.accept(deliveryOf("a"));
    await expect.poll(async () => inbox.counts()).toEqual({ ...EMPTY, delayed: 1 });
  });

  it("accepts nothing once it is closed, and ends with what it stored", async () => {
    const { directory } = site();
    const inbox = inboxIn(directory);
    const accepting = Promise.all(["a", "b"].map(async (id) => inbox.accept(deliveryOf(id))));
    await accepting;
    await inbox.close();
    await inbox.close();
    await expect(inbox.accept(deliveryOf("c"))).rejects.toMatchObject({
      code: "INBOX_UNAVAILABLE",
    });
    expect(await inboxIn(directory).counts()).toEqual({ ...EMPTY, waiting: 2 });
  });

  it("refuses a second receiver", () => {
    const { directory } = site();
    const inbox = inboxIn(directory);
    inbox.attach(async () => DONE);
    expect(() => inbox.attach(async () => DONE)).toThrow(/another `directory`/);
  });

  it.each([{}, { directory: "" }, { directory: "x", concurency: 2 }])(
    "refuses the options %j",
    (options) => {
      expect(() => createSqliteInbox(options as SqliteInboxOptions)).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID" }) as Error,
      );
    },
  );
});
