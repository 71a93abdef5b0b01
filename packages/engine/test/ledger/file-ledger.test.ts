import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../src/engine.js";
import { openFileLedger } from "../../src/ledger/file-ledger.js";
import { createLedgerReporter } from "../../src/ledger/ledger-reporter.js";

async function newPath(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "riskgate-ledger-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, "ledger.jsonl");
}

const DAY_MS = 86_400_000;

describe("a file ledger", () => {
  it("remembers after a restart, in the order of last use", async () => {
    const path = await newPath();
    const now = () => 400 * DAY_MS;
    const first = await openFileLedger({ path, now });
    first.record({ ip: "203.0.113.1", highRisk: true, occurredAtMs: 300 * DAY_MS });
    first.record({ ip: "203.0.113.1", occurredAtMs: 399 * DAY_MS });
    first.record({ ip: "203.0.113.2" });
    first.record({ email: "A.n.n+x@gmail.com" });
    first.record({ ip: "203.0.113.1" });
    const ipHistory = first.ipHistory("203.0.113.1");
    await first.close();

    const second = await openFileLedger({ path, now, maxEntries: 2 });
    expect(second.ipHistory("203.0.113.1")).toEqual(ipHistory);
    expect(second.emailHistory("ann@gmail.com")).toMatchObject({ security_events_count: 1 });
    second.record({ ip: "203.0.113.3" });
    // The least recently active entry gave way.
    expect(second.ipHistory("203.0.113.2")).toBeUndefined();
    expect(second.ipHistory("203.0.113.1")).toBeDefined();
  });

  it.skipIf(process.platform === "win32")("writes through no link that others plant", async () => {
    const path = await newPath();
    const victim = `${path}.victim`;
    await writeFile(victim, "precious");
    await symlink(victim, `${path}.${process.pid}.tmp`);
    const ledger = await openFileLedger({ path });
    ledger.record({ ip: "203.0.113.1" });
    await ledger.close();
    expect(await readFile(victim, "utf8")).toBe("precious");
  });

  it("forgets what is past the retention", async () => {
    const path = await newPath();
    const clock = { now: 400 * DAY_MS };
    const options = { path, now: () => clock.now, retentionMs: 10 * DAY_MS };
    const first = await openFileLedger(options);
    first.record({ ip: "203.0.113.1" });
    await first.close();
    clock.now += 11 * DAY_MS;
    expect((await openFileLedger(options)).ipHistory("203.0.113.1")).toBeUndefined();
  });

  it("is a file of its owner, and leaves nothing beside it", async () => {
    const path = await newPath();
    const ledger = await openFileLedger({ path });
    ledger.record({ ip: "203.0.113.1" });
    await Promise.all([ledger.save(), ledger.save(), ledger.close()]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(path, ".."))).toEqual(["ledger.jsonl"]);
  });

  it("writes nothing where nothing has changed", async () => {
    const path = await newPath();
    const ledger = await openFileLedger({ path });
    await ledger.close();
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  it("saves what is recorded while it saves", async () => {
    const path = await newPath();
    const ledger = await openFileLedger({ path });
    const address = (n: number): string => `2001:db8:0:${n.toString(16)}::1`;
    for (let n = 0; n < 5_000; n++) ledger.record({ ip: address(n) });
    const saving = ledger.save();
    ledger.record({ email: "ann@example.com" });
    ledger.erase({ ip: address(1) });
    await saving;
    await ledger.close();
    const again = await openFileLedger({ path });
    expect(again.emailHistory("ann@example.com")).toBeDefined();
    expect(again.ipHistory(address(1))).toBeUndefined();
    expect(again.ipHistory(address(4_999))).toBeDefined();
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ["another file", () => "# notes\n", /it is not a ledger/],
    ["an empty file", () => "", /its end is missing/],
    ["a file cut short", (text) => text.slice(0, -80), /line 2|its end is missing/],
    ["a changed number", (text) => text.replace(",1,1]", ",9,9]"), /has changed since/],
    ["a further line", (text) => `${text}x\n`, /line 4 is behind its end/],
    ["a line of another kind", (text) => text.replace('["ips"', '["ip"'), /line 2 is damaged/],
    ["a later version", (text) => text.replace('"version":1', '"version":2'), /other settings or/],
  ])("refuses %s, and leaves it alone", async (_, damage, problem) => {
    const path = await newPath();
    const ledger = await openFileLedger({ path });
    ledger.record({ ip: "203.0.113.1", highRisk: true });
    await ledger.close();
    const damaged = damage(await readFile(path, "utf8"));
    await writeFile(path, damaged);
    const opening = openFileLedger({ path });
    await expect(opening).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(opening).rejects.toThrow(problem);
    expect(await readFile(path, "utf8")).toBe(damaged);
  });

  it("refuses a file that was written with other settings", async () => {
    const path = await newPath();
    const ledger = await openFileLedger({ path, ipv6Prefix: 128 });
    ledger.record({ ip: "2001:db8::1" });
    await ledger.close();
    await expect(openFileLedger({ path })).rejects.toThrow(/other settings/);
  });

  it("tells why it cannot be written, and tries again", async () => {
    const path = await newPath();
    const errors: string[] = [];
    const ledger = await openFileLedger({
      path: join(path, "ledger"),
      saveEveryMs: 1,
      onError: ({ code }) => errors.push(code),
    });
    await writeFile(path, "in the way");
    ledger.record({ ip: "203.0.113.1" });
    await expect(ledger.save()).rejects.toMatchObject({ code: "STORE_FAILED" });
    await rm(path);
    await ledger.close();
    expect(new Set(errors).size).toBeLessThanOrEqual(1);
    expect(
      (await openFileLedger({ path: join(path, "ledger") })).ipHistory("203.0.113.1"),
    ).toBeDefined();
  });

  it("teaches an engine across a restart", async () => {
    const path = await newPath();
    const ledger = await openFileLedger({ path });
    const reporter = createLedgerReporter({ ledger });
    reporter.event({ kind: "sql_injection", address: "8.8.8.8" });
    await reporter.close();
    const engine = await createEngine({ ledger: await openFileLedger({ path }) });
    expect(await engine.lookupIp("8.8.8.8")).toMatchObject({ is_known_attacker: true });
    await engine.close();
  });
});
