import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DispatchChild } from "../../soak/dispatch-child.mjs";
import { soakDispatch } from "../../soak/soak-dispatch.mjs";
import { idsOf, startReceiver } from "../../support/receiver.js";

const POLL = { timeout: 60_000, interval: 5 };

async function planOf(webhookUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-crash-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return { dataDir, webhookUrl, secret: "hook-secret-1" };
}

async function start(plan: Record<string, unknown>): Promise<DispatchChild> {
  const child = new DispatchChild(plan);
  onTestFinished(() => child.kill());
  await child.says("ready");
  return child;
}

describe("dispatcher killed by -9", () => {
  it("DSP-13 delivers after the restart what was accepted before", async () => {
    const receiver = await startReceiver();
    const plan = await planOf(receiver.url);
    const first = await start({ ...plan, settings: { maxWaitMs: 60_000 } });
    first.add(["a", "b"]);
    await expect.poll(() => first.accepted, POLL).toEqual(["a", "b"]);
    await first.kill();
    expect(receiver.requests).toEqual([]);
    await start({ ...plan, settings: { maxWaitMs: 0 } });
    await expect.poll(() => receiver.requests.map(idsOf), POLL).toEqual([["a", "b"]]);
  });

  it("DSP-14 sends the same bytes again when an answer was not recorded", async () => {
    const receiver = await startReceiver();
    const plan = await planOf(receiver.url);
    const settings = { maxWaitMs: 0 };
    const first = await start({ ...plan, settings, neverRecord: true });
    first.add(["a"]);
    await first.says("recording");
    await first.kill();
    expect(receiver.requests).toHaveLength(1);
    const second = await start({ ...plan, settings });
    await expect.poll(() => receiver.requests.length, POLL).toBe(2);
    expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body);
    expect(receiver.requests.flatMap(idsOf)).toEqual(["a", "a"]);
    // An attempt that is under way may end, and its record with it.
    expect(await second.stop()).toEqual({ code: 0, errors: "" });
    const third = await start({ ...plan, settings });
    third.add(["b"]);
    await expect.poll(() => receiver.requests.flatMap(idsOf), POLL).toEqual(["a", "a", "b"]);
  });

  it("loses nothing and alters nothing over five kills", { timeout: 180_000 }, async () => {
    const figures = await soakDispatch(5);
    expect(figures).toMatchObject({ lost: 0, altered: 0, forged: 0, exitCode: 0 });
    expect(figures.accepted).toBeGreaterThan(0);
  });
});
