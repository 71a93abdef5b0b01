import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMxCheck, type MxCheck } from "../../src/mail/mx-check.js";
import type { MxSettings } from "../../src/mail/mx-options.js";
import { type DnsServer, mx, serveDns, type Zone } from "../support/dns-server.js";

const ZONE: Zone = {
  "mail.test": [mx("mail.test", "mx.mail.test")],
  "null.test": [mx("null.test", ".")],
  "web.test": [{ type: "A", name: "web.test", ttl: 60, data: "192.0.2.1" }],
  "web6.test": [{ type: "AAAA", name: "web6.test", ttl: 60, data: "2001:db8::1" }],
  "empty.test": [{ type: "TXT", name: "empty.test", ttl: 60, data: "nothing" }],
  "broken.test": "SERVFAIL",
  "silent.test": "silence",
};

const LONG_MS = 30_000;

/** A check that asks a server on loopback. */
function checkOver({ servers }: DnsServer, settings: Partial<MxSettings> = {}): MxCheck {
  const check = createMxCheck({
    timeoutMs: LONG_MS,
    cacheSize: 100,
    ttlMs: 60_000,
    concurrency: 4,
    servers,
    ...settings,
  });
  onTestFinished(() => check.close());
  return check;
}

describe("the check of MX records", () => {
  it.each([
    ["an MX record", "mail.test", "mail"],
    ["a null MX record", "null.test", "null_mx"],
    ["only an IPv4 address", "web.test", "mail"],
    ["only an IPv6 address", "web6.test", "mail"],
    ["records of other types", "empty.test", "no_record"],
    ["no such name", "missing.test", "no_record"],
    ["a server that fails", "broken.test", "unknown"],
  ])("of %s", async (_, domain, state) => {
    expect(await checkOver(await serveDns(ZONE)).ask(domain, Infinity)).toBe(state);
  });

  it("says nothing of a domain whose server is silent", async () => {
    const check = checkOver(await serveDns(ZONE), { timeoutMs: 20 });
    expect(await check.ask("silent.test", Infinity)).toBe("unknown");
    // Nor does it ask again at once.
    expect(check.peek("silent.test")).toBe("unknown");
  });

  it("remembers the answer, and asks again when it is too old", async () => {
    const server = await serveDns(ZONE);
    const check = checkOver(server, { ttlMs: 1 });
    expect(check.peek("mail.test")).toBeUndefined();
    await check.ask("mail.test", Infinity);
    await expect.poll(() => check.peek("mail.test")).toBeUndefined();
    await check.ask("mail.test", Infinity);
    expect(server.asked).toEqual(["MX mail.test", "MX mail.test"]);
  });

  it("keeps no more answers than it may", async () => {
    const check = checkOver(await serveDns(ZONE), { cacheSize: 1 });
    await check.ask("mail.test", Infinity);
    await check.ask("null.test", Infinity);
    expect(check.peek("mail.test")).toBeUndefined();
    expect(check.peek("null.test")).toBe("null_mx");
  });

  it("asks once for equal questions at the same time", async () => {
    const server = await serveDns(ZONE, { held: true });
    const check = checkOver(server);
    const asked = Array.from({ length: 50 }, () => check.ask("mail.test", Infinity));
    await expect.poll(() => server.asked).toEqual(["MX mail.test"]);
    server.release();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["mail"]));
    expect(server.asked).toHaveLength(1);
  });

  it("asks about no more domains at the same time than it may", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `d${index}.test`);
    const zone = Object.fromEntries(names.map((name) => [name, [mx(name, "mx.test")]]));
    const server = await serveDns(zone, { held: true });
    const check = checkOver(server, { concurrency: 3 });
    const asked = names.map((name) => check.ask(name, Infinity));
    await expect.poll(() => server.asked.length).toBe(3);
    server.release();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(["mail"]));
    expect(server.mostWaiting).toBe(3);
  });

  it("keeps nobody waiting for a place longer than for an answer", async () => {
    const server = await serveDns(ZONE, { held: true });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const check = checkOver(server, { concurrency: 1 });
    const asked = [check.ask("mail.test", Infinity), check.ask("null.test", Infinity)];
    vi.advanceTimersByTime(LONG_MS);
    expect(await Promise.all(asked)).toEqual(["unknown", "unknown"]);
    expect(server.asked).not.toContain("MX null.test");
  });

  it("lets a caller go that has less time, and keeps the answer that comes later", async () => {
    const server = await serveDns(ZONE, { held: true });
    const check = checkOver(server);
    expect(await check.ask("null.test", 1)).toBe("unknown");
    expect(check.peek("null.test")).toBeUndefined();
    server.release();
    await expect.poll(() => check.peek("null.test")).toBe("null_mx");
  });

  it("ends what is under way when it is closed, and asks nothing more", async () => {
    const server = await serveDns(ZONE, { held: true });
    const check = checkOver(server);
    const asked = check.ask("mail.test", Infinity);
    await expect.poll(() => server.asked).toHaveLength(1);
    check.close();
    expect(await asked).toBe("unknown");
    expect(await check.ask("null.test", Infinity)).toBe("unknown");
    expect(server.asked).toHaveLength(1);
  });
});
