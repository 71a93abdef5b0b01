import { it } from "vitest";
import type { AppSettings } from "./app.js";
import { payloadsOf } from "./app.js";
import { EMPTY, idsOf, openWorld } from "./world.js";

/** What processes that end must not lose, with one client. */
export function processCases(
  client: NonNullable<AppSettings["client"]>,
  maxAttempts: number,
): void {
  it(`INB-04 handles after a restart what was accepted before kill -9, with ${client}`, async (context) => {
    const { expect } = context;
    const { log, start, open, look } = await openWorld(context);
    const ids = idsOf("slow", 10);
    const first = await start({ client, slowMs: 60_000 });
    expect((await first.post(payloadsOf(ids))).status).toBe(202);
    await expect.poll(() => log.starts().size).toBe(1);
    await first.kill();
    await open({ client, slowMs: 1 });
    await expect.poll(() => log.ends().size).toBe(10);
    await expect.poll(async () => (await look()).counts()).toEqual(EMPTY);
  });

  it(`INB-07 parks an element that ends the process ${maxAttempts} times, with ${client}`, async (context) => {
    const { expect } = context;
    const { log, start, open, look } = await openWorld(context);
    const ids = [...idsOf("good", 5), "kill-0", ...idsOf("fine", 4)];
    const others = idsOf("other", 20);
    const settings = { client, maxAttempts, seen: false };
    const first = await start(settings);
    // The answer may come too late: the process ends at once.
    await first.post(payloadsOf(ids));
    await first.ended;
    for (let deaths = 1; deaths < maxAttempts; deaths++) {
      const next = await start(settings);
      await next.ended;
    }
    const last = await open(settings);
    expect((await last.post(payloadsOf(others))).status).toBe(202);
    const inbox = await look();
    await expect.poll(async () => inbox.counts()).toEqual({ ...EMPTY, parked: 1 });
    expect(log.starts().get("kill-0")).toBe(maxAttempts);
    const ended = log.ends();
    expect([...ids, ...others].filter((id) => !ended.has(id))).toEqual(["kill-0"]);
    expect(await inbox.parked()).toMatchObject([{ delivery: { firstIndex: 5 } }]);
  });

  it(`INB-08 lets another process take over from one that died, with ${client}`, async (context) => {
    const { expect } = context;
    const { log, start, open } = await openWorld(context);
    const dying = await start({ client, slowMs: 60_000 });
    const ids = idsOf("slow", 10);
    for (const id of ids) expect((await dying.post(payloadsOf([id]))).status).toBe(202);
    await expect.poll(() => log.starts().size).toBe(10);
    await open({ client, slowMs: 1 });
    await dying.kill();
    await expect.poll(() => log.ends().size).toBe(10);
  });

  it(`INB-09 ends after SIGTERM, and nothing is lost, with ${client}`, async (context) => {
    const { expect } = context;
    const { log, start, open } = await openWorld(context);
    const app = await start({ client, slowMs: 20, lockMs: 30_000 });
    const ids = idsOf("slow", 100);
    for (let at = 0; at < 100; at += 5) {
      expect((await app.post(payloadsOf(ids.slice(at, at + 5)))).status).toBe(202);
    }
    const startedMs = performance.now();
    expect(await app.kill("SIGTERM")).toBe(0);
    // Only a hang takes that long.
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    const begun = log.starts();
    expect([...begun.keys()].filter((id) => !log.ends().has(id))).toEqual([]);
    await open({ client, slowMs: 1, lockMs: 30_000 });
    await expect.poll(() => log.ends().size).toBe(100);
    expect([...log.starts().values()].every((count) => count === 1)).toBe(true);
  });
}
