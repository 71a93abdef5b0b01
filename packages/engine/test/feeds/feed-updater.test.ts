import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { symlink, utimes, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createEngine } from "../../src/engine.js";
import type { FeedProgress } from "../../src/feeds/feed-progress.js";
import type { FeedSource } from "../../src/feeds/feed-source.js";
import {
  createFeedUpdater,
  type FeedUpdater,
  type FeedUpdaterOptions,
} from "../../src/feeds/feed-updater.js";
import { type FeedServer, startFeedServer } from "../support/feed-server.js";

let server: FeedServer;
let dir: string;
let nowMs: number;
beforeEach(async () => {
  server = await startFeedServer();
  dir = await mkdtemp(join(tmpdir(), "feeds-"));
  nowMs = 1_800_000_000_000;
});
afterEach(async () => {
  await server.close();
  await rm(dir, { recursive: true });
});

const exits = (): FeedSource => ({
  kind: "tor",
  name: "exits",
  url: `${server.origin}/exits?key=k1`,
});

function updaterOf(options: Partial<FeedUpdaterOptions> = {}): FeedUpdater {
  return createFeedUpdater({ dir, feeds: [exits()], now: () => nowMs, ...options });
}

const answer =
  (
    body: string | Uint8Array,
    headers: Record<string, string> = {},
    status = 200,
  ): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

const addresses = (count: number, third = 0): string =>
  Array.from({ length: count }, (_, index) => `8.8.${third}.${index}\n`).join("");

/** As many networks, each of a length. */
const blocks = (count: number, length: number): string =>
  Array.from({ length: count }, (_, index) => `${index + 1}.0.0.0/${length}\n`).join("");

/** Answers, hears what the updater says, and checks that the engine kept what it had. */
async function refusalOf(
  bad: RequestListener,
  options: Partial<FeedUpdaterOptions> = {},
): Promise<unknown> {
  server.answer = answer(addresses(8), { etag: '"1"' });
  await updaterOf().update();
  const engine = await createEngine({ feeds: updaterOf().feeds });
  const before = await readFile(join(dir, "exits.list"), "utf8");
  server.answer = bad;
  const [outcome] = await updaterOf(options).update();
  expect(outcome?.state).toBe("refused");
  await engine.reload();
  expect(engine.peekIp("8.8.0.7")?.assessment.is_tor).toBe(true);
  expect(await readFile(join(dir, "exits.list"), "utf8")).toBe(before);
  expect((await readdir(dir)).toSorted()).toEqual(["exits.json", "exits.list"]);
  const { error } = outcome as Extract<typeof outcome, { state: "refused" }>;
  expect(`${error.message} ${error.hint}`).not.toMatch(/k1|127\.0\.0\.1/);
  return error.code;
}

describe("createFeedUpdater", () => {
  it.each<[string, object]>([
    ["no directory", { dir: "" }],
    ["feeds that are no array", { feeds: {} }],
    ["a feed that is no object", { feeds: ["https://a.example"] }],
    ["a time-out of 0", { timeoutMs: 0 }],
    ["a share above 1", { maxShrink: 2 }],
    ["a hook that is none", { onProgress: "log" }],
    ["words for allowHttp", { allowHttp: "yes" }],
    ["a time-out that no timer keeps", { timeoutMs: 2 ** 31 }],
    ["a misspelled option", { timeout: 5 }],
  ])("refuses %s", (_label, options) => {
    expect(() => updaterOf(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it.each<[string, object]>([
    ["of an unknown kind", { kind: "bogon" }],
    ["without a name", { name: undefined }],
    ["whose name is a path", { name: "../exits" }],
    ["without a URL", { url: "exits.txt" }],
    ["over plain http", { url: "http://lists.example/exits" }],
    ["from a file", { url: "file:///etc/passwd" }],
    ["with a password in its URL", { url: "https://ann:k1@lists.example/" }],
    ["of no bytes", { maxBytes: 0 }],
    ["with a misspelled member", { maxByte: 5 }],
  ])("refuses a feed %s, and does not repeat its URL", (_label, change) => {
    const feeds = [{ ...exits(), ...change } as FeedSource];
    const create = () => updaterOf({ feeds });
    expect(create).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(create).not.toThrow(/k1|example/);
  });

  it("refuses two feeds of one name", () => {
    const feeds = [exits(), { ...exits(), name: "EXITS" }];
    expect(() => updaterOf({ feeds })).toThrow("`feeds[1].name` must be different");
  });

  it("permits plain http where it is told to", () => {
    const feeds = [{ ...exits(), url: "http://lists.example/exits" }];
    expect(updaterOf({ feeds, allowHttp: true }).feeds).toMatchObject([
      { source: "http://lists.example/exits" },
    ]);
  });
});

describe("update", () => {
  it("brings a list to an engine that began without it", async () => {
    const updater = updaterOf();
    const engine = await createEngine({ feeds: updater.feeds });
    expect(engine.feeds()).toMatchObject([{ name: "exits", size: 0 }]);
    server.answer = answer(addresses(3), { etag: '"1"' });
    expect(await updater.update()).toEqual([
      { name: "exits", state: "updated", entries: 3, bytes: 24 },
    ]);
    await engine.reload();
    expect(engine.peekIp("8.8.0.2")?.assessment.is_tor).toBe(true);
    expect(engine.feeds()).toMatchObject([
      { size: 3, source: `${server.origin}/exits`, updatedAtMs: nowMs },
    ]);
  });

  it("asks with the validators of its copy, and renews the age of one that is current", async () => {
    const modified = "Thu, 01 Jan 2026 00:00:00 GMT";
    server.answer = answer(addresses(3), { etag: '"1"', "last-modified": modified });
    await updaterOf().update();
    server.answer = answer("", {}, 304);
    nowMs += 60_000;
    expect(await updaterOf().update()).toEqual([{ name: "exits", state: "unchanged", entries: 3 }]);
    expect(server.requests).toEqual([
      { path: "/exits?key=k1" },
      { path: "/exits?key=k1", etag: '"1"', since: modified },
    ]);
    expect(await updaterOf().status()).toEqual([
      {
        name: "exits",
        kind: "tor",
        path: join(dir, "exits.list"),
        fetchedAtMs: nowMs - 60_000,
        checkedAtMs: nowMs,
        entries: 3,
      },
    ]);
    const engine = await createEngine({ feeds: updaterOf().feeds });
    expect(engine.feeds()).toMatchObject([{ updatedAtMs: nowMs }]);
  });

  it("leaves alone what was asked for within `maxAgeMs`, by whichever process", async () => {
    server.answer = answer(addresses(3), { etag: '"1"' });
    await updaterOf().update();
    nowMs += 60_000;
    const current = { name: "exits", state: "unchanged", entries: 3 };
    expect(await updaterOf().update({ maxAgeMs: 60_001 })).toEqual([current]);
    expect(server.requests).toHaveLength(1);
    await updaterOf().update({ maxAgeMs: 60_000 });
    expect(server.requests).toHaveLength(2);
  });

  it("replaces its copy when the validators have changed", async () => {
    server.answer = answer(addresses(3), { etag: '"1"' });
    await updaterOf().update();
    server.answer = answer(addresses(4, 1), { etag: '"2"' });
    expect(await updaterOf().update()).toMatchObject([{ state: "updated", entries: 4 }]);
    const fetchedAtMs = nowMs;
    nowMs += 60_000;
    server.answer = answer(addresses(4, 1), { etag: '"3"' });
    expect(await updaterOf().update()).toMatchObject([{ state: "unchanged", entries: 4 }]);
    expect(await updaterOf().status()).toMatchObject([{ fetchedAtMs, checkedAtMs: nowMs }]);
    expect(server.requests.map(({ etag }) => etag)).toEqual([undefined, '"1"', '"2"']);
  });

  it.each<[string, (path: (name: string) => string) => Promise<unknown>]>([
    ["its list is gone", (path) => rm(path("exits.list"))],
    ["its list was changed", (path) => writeFile(path("exits.list"), "9.9.9.9")],
    ["its record is gone", (path) => rm(path("exits.json"))],
    ["its record is damaged", (path) => writeFile(path("exits.json"), '{"sha256": ')],
    ["its record is no record", (path) => writeFile(path("exits.json"), "[null]")],
  ])("asks without validators when %s", async (_label, damage) => {
    server.answer = answer(addresses(3), { etag: '"1"' });
    await updaterOf().update();
    await damage((name) => join(dir, name));
    expect(await updaterOf().update()).toMatchObject([{ state: "updated" }]);
    expect(server.requests[1]).toEqual({ path: "/exits?key=k1" });
    expect(await readFile(join(dir, "exits.list"), "utf8")).toBe(addresses(3));
  });

  it("refuses a first list that covers a quarter of all addresses or more", async () => {
    server.answer = answer(blocks(65, 8));
    const [outcome] = await updaterOf().update();
    expect(outcome).toMatchObject({
      state: "refused",
      error: { message: expect.stringContaining("covers 1090519040 IPv4 addresses") },
    });
    server.answer = answer(blocks(64, 8));
    expect(await updaterOf().update()).toMatchObject([{ state: "updated", entries: 64 }]);
  });

  it("lets a list add as much as it covers, or a /16", async () => {
    const steps = ["9.0.0.0/15", "9.0.0.0/14", "9.0.0.0/14\n11.11.0.0/16", "9.0.0.0/12"];
    const states = [];
    for (const step of steps) {
      server.answer = answer(`${step}\n`);
      states.push((await updaterOf({ maxShrink: 1 }).update())[0]?.state);
    }
    expect(states).toEqual(["updated", "updated", "updated", "refused"]);
    expect(await updaterOf({ maxShrink: 1, maxGrowth: 3 }).update()).toMatchObject([
      { state: "updated" },
    ]);
  });

  describe("with disposable domains", () => {
    const domains = (count: number): string =>
      Array.from({ length: count }, (_, index) => `d${index}.example\n`).join("");
    const update = (list: string) => {
      server.answer = answer(list);
      const feeds: FeedSource[] = [{ kind: "disposable", name: "d", url: `${server.origin}/d` }];
      return updaterOf({ feeds }).update();
    };

    it("refuses a list with a large mailbox provider, first or later", async () => {
      const refused = { message: expect.stringContaining("calls gmail.com disposable") };
      expect(await update("a.example\ngmail.com\n")).toMatchObject([{ error: refused }]);
      expect(await update("a.example\n")).toMatchObject([{ state: "updated" }]);
      expect(await update("a.example\n*.GMAIL.com\n")).toMatchObject([{ error: refused }]);
      const engine = await createEngine({
        feeds: updaterOf({
          feeds: [{ kind: "disposable", name: "d", url: `${server.origin}/d` }],
        }).feeds,
      });
      expect(engine.peekEmail("x@gmail.com")?.assessment.is_disposable).toBe(false);
      expect(engine.peekEmail("x@a.example")?.assessment.is_disposable).toBe(true);
    });

    it("refuses a list that adds more than 10,000 domains and more than it had", async () => {
      expect(await update(domains(10))).toMatchObject([{ state: "updated" }]);
      expect(await update(domains(10_011))).toMatchObject([
        { error: { hint: expect.stringContaining("`maxGrowth`") } },
      ]);
      expect(await update(domains(10_010))).toMatchObject([{ state: "updated" }]);
      expect(await update(domains(20_020))).toMatchObject([{ state: "updated" }]);
    });
  });

  it("refuses `not modified` of what it does not have", async () => {
    server.answer = answer("", {}, 304);
    expect(await updaterOf().update()).toMatchObject([
      { state: "refused", error: { code: "UPSTREAM_STATUS", status: 304 } },
    ]);
  });

  it("asks another URL without the validators of the one before", async () => {
    server.answer = answer(addresses(3), { etag: '"1"' });
    await updaterOf().update();
    await updaterOf({ feeds: [{ ...exits(), url: `${server.origin}/other` }] }).update();
    expect(server.requests[1]).toEqual({ path: "/other" });
  });

  it.each<[string, Buffer, Record<string, string>]>([
    ["the transfer", gzipSync(addresses(3)), { "content-encoding": "gzip" }],
    ["the file", gzipSync(addresses(3)), {}],
  ])("reads what is compressed for %s", async (_label, body, headers) => {
    server.answer = answer(body, headers);
    expect(await updaterOf().update()).toMatchObject([{ state: "updated", entries: 3, bytes: 24 }]);
  });

  it("asks for a body that cannot break off unseen", async () => {
    let encoding: unknown;
    server.answer = (request, response) => {
      encoding = request.headers["accept-encoding"];
      response.end(addresses(3));
    };
    await updaterOf().update();
    expect(encoding).toBe("identity");
  });

  it("follows its own server to another path", async () => {
    server.answer = (request, response) => {
      if (request.url === "/final") response.end(addresses(3));
      else response.writeHead(302, { location: "/final" }).end();
    };
    expect(await updaterOf().update()).toMatchObject([{ state: "updated" }]);
  });

  it("follows a redirect to https", async () => {
    // Nothing listens there: the error shows that the connection was tried.
    const location = "https://127.0.0.1:1/exits";
    expect(await refusalOf(answer("", { location }, 301))).toBe("NETWORK");
  });

  it.each<[string, string, RequestListener]>([
    ["HTML", "INVALID_RESPONSE", answer("<!doctype html>\n8.8.8.8\n")],
    ["an empty body", "INVALID_RESPONSE", answer("")],
    ["JSON of an unknown shape", "INVALID_RESPONSE", answer('{"error": "8.8.8.8"}')],
    ["mostly words", "INVALID_RESPONSE", answer(`${addresses(5)}${"try later\n".repeat(6)}`)],
    ["less than half of the list", "INVALID_RESPONSE", answer(addresses(3))],
    ["the list and 223 networks of /8", "INVALID_RESPONSE", answer(addresses(8) + blocks(223, 8))],
    ["the list and a /15", "INVALID_RESPONSE", answer(`${addresses(8)}9.8.0.0/15\n`)],
    ["the list and a /31 of IPv6", "INVALID_RESPONSE", answer(`${addresses(8)}2600::/31\n`)],
    ["a damaged gzip file", "INVALID_RESPONSE", answer(gzipSync(addresses(9)).subarray(0, 30))],
    ["an error", "UPSTREAM_STATUS", answer(addresses(8), {}, 500)],
    ["a part of the list", "UPSTREAM_STATUS", answer(addresses(8), {}, 206)],
    ["a redirect to itself", "REDIRECT_REFUSED", answer("", { location: "/exits" }, 302)],
    ["a redirect nowhere", "REDIRECT_REFUSED", answer("", {}, 302)],
    ["a redirect to http", "REDIRECT_REFUSED", answer("", { location: "http://[::1]/" }, 307)],
    ["a redirect to a file", "REDIRECT_REFUSED", answer("", { location: "file:///etc/a" }, 308)],
    [
      "a body that breaks off",
      "NETWORK",
      (_, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write(addresses(8), () => response.destroy());
      },
    ],
    ["a connection that is reset", "NETWORK", (request) => request.socket.resetAndDestroy()],
  ])("refuses %s and keeps its copy", async (_label, code, bad) => {
    expect(await refusalOf(bad)).toBe(code);
  });

  it.each<[string, RequestListener]>([
    ["a length", answer(addresses(200), { "content-length": String(addresses(200).length) })],
    ["chunks", (_, response) => void (response.write(addresses(100)), response.end(addresses(99)))],
    ["a gzip bomb", answer(gzipSync(Buffer.alloc(50_000_000)), { "content-encoding": "gzip" })],
    ["a gzip bomb in a file", answer(gzipSync(Buffer.alloc(50_000_000, "1")))],
  ])("refuses more bytes than it may read, by %s", async (_label, bad) => {
    const maxBytes = 100_000;
    const limit = _label.startsWith("a gzip") ? maxBytes : 1000;
    expect(await refusalOf(bad, { feeds: [{ ...exits(), maxBytes: limit }] })).toBe(
      "RESPONSE_TOO_LARGE",
    );
  });

  it.each<[string, RequestListener]>([
    ["no answer", () => {}],
    ["a body that does not end", (_, response) => void response.write(addresses(8))],
  ])("gives up on %s after the time-out", async (_label, bad) => {
    expect(await refusalOf(bad, { timeoutMs: 50 })).toBe("TIMEOUT");
  });

  it("gives up on a fetch that heeds no signal", async () => {
    const fetch = () => new Promise<Response>(() => {});
    expect(await refusalOf(answer(""), { timeoutMs: 20, fetch })).toBe("TIMEOUT");
  });

  it("ends when the caller's signal does", async () => {
    const controller = new AbortController();
    server.answer = () => controller.abort();
    const [outcome] = await updaterOf().update({ signal: controller.signal });
    expect(outcome).toMatchObject({ state: "refused", error: { code: "ABORTED" } });
    const [next] = await updaterOf().update({ signal: controller.signal });
    expect(next).toMatchObject({ state: "refused", error: { code: "ABORTED" } });
    expect(server.requests).toHaveLength(1);
  });

  it("keeps its copy when the disk is full", async () => {
    server.answer = answer(addresses(8), { etag: '"1"' });
    await updaterOf().update();
    // A full disk may be reported as late as this.
    const file = await open(join(dir, "exits.list"));
    const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
    const files = Object.getPrototypeOf(file) as typeof file;
    const sync = vi.spyOn(files, "sync").mockRejectedValueOnce(full);
    onTestFinished(() => sync.mockRestore());
    await file.close();
    server.answer = answer(addresses(9), { etag: '"2"' });
    const [outcome] = await updaterOf().update();
    expect(outcome).toMatchObject({ state: "refused", error: { code: "STORE_FAILED" } });
    expect(outcome).toHaveProperty("error.message", expect.stringContaining("the disk is full"));
    expect(await readFile(join(dir, "exits.list"), "utf8")).toBe(addresses(8));
    expect((await readdir(dir)).toSorted()).toEqual(["exits.json", "exits.list"]);
  });

  it("says so when its directory cannot be made", async () => {
    const blocked = join(dir, "blocked");
    await writeFile(blocked, "");
    server.answer = answer(addresses(8));
    expect(await updaterOf({ dir: join(blocked, "feeds") }).update()).toMatchObject([
      { state: "refused", error: { code: "STORE_FAILED" } },
    ]);
  });

  it.skipIf(process.platform === "win32")("writes through no link that others plant", async () => {
    const victim = join(dir, "victim");
    await writeFile(victim, "precious");
    await utimes(victim, 1, 1);
    for (const name of ["exits.list", "exits.json", `exits.list.${process.pid}.tmp`]) {
      await symlink(victim, join(dir, name));
    }
    server.answer = answer(addresses(8), { etag: '"1"' });
    expect(await updaterOf().update()).toMatchObject([{ state: "updated" }]);
    expect(await readFile(victim, "utf8")).toBe("precious");
    expect((await stat(victim)).mtimeMs).toBe(1000);
    expect(await readFile(join(dir, "exits.list"), "utf8")).toBe(addresses(8));
  });

  it("mends its record when the process ended between list and record", async () => {
    server.answer = answer(addresses(8), { etag: '"1"' });
    await updaterOf().update();
    // A directory in place of the record ends the write where a crash would.
    const record = join(dir, "exits.json");
    await rename(record, `${record}.old`);
    await mkdir(join(record, "x"), { recursive: true });
    server.answer = answer(addresses(9), { etag: '"2"' });
    expect(await updaterOf().update()).toMatchObject([{ state: "refused" }]);
    await rm(record, { recursive: true });
    await rename(`${record}.old`, record);
    expect(await updaterOf().update()).toMatchObject([{ state: "updated", entries: 9 }]);
    expect(server.requests[2]).toEqual({ path: "/exits?key=k1" });
  });

  it("stops no feed because of another, and tells the progress of each", async () => {
    const feeds = Array.from({ length: 9 }, (_, index): FeedSource => ({
      kind: index === 2 ? "disposable" : "vpn",
      name: `list-${index}`,
      url: `${server.origin}/${index}`,
    }));
    server.answer = (request, response) => {
      const index = Number(request.url?.slice(1));
      if (index % 3 === 0) request.socket.destroy();
      else response.end(index === 2 ? "one.example\n@two.example\n" : addresses(index));
    };
    const heard: FeedProgress[] = [];
    const updater = updaterOf({ feeds, onProgress: (progress) => heard.push(progress) });
    const outcomes = await updater.update();
    expect(outcomes.map(({ name, state }) => [name, state])).toEqual(
      feeds.map(({ name }, index) => [name, index % 3 === 0 ? "refused" : "updated"]),
    );
    for (const [index, { name }] of feeds.entries()) {
      const of = heard.filter((progress) => progress.name === name);
      expect(of[0]).toEqual({ name, state: "started" });
      expect(of.at(-1)).toBe(outcomes[index]);
      if (index % 3 !== 0) {
        const bytes = index === 2 ? 25 : addresses(index).length;
        expect(of).toContainEqual({ name, state: "receiving", bytes });
      }
    }
    const engine = await createEngine({ feeds: updater.feeds });
    expect(engine.feeds().map(({ size }) => size)).toEqual([0, 1, 2, 0, 4, 5, 0, 7, 8]);
  });

  it("is shared by calls at the same time", async () => {
    server.answer = answer(addresses(3));
    const updater = updaterOf();
    const [one, two] = await Promise.all([updater.update(), updater.update()]);
    expect(one).toBe(two);
    expect(server.requests).toHaveLength(1);
  });

  it("updates all the same when `onProgress` throws, and then says so", async () => {
    server.answer = answer(addresses(3));
    const onProgress = () => {
      throw new Error("no terminal");
    };
    await expect(updaterOf({ onProgress }).update()).rejects.toMatchObject({ code: "HOOK_FAILED" });
    expect(await updaterOf().status()).toMatchObject([{ entries: 3 }]);
  });
});
