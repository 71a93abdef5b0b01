import { describe, expect, it } from "vitest";
import { type DispatchRoom, openDispatchRoom } from "../support/dispatch-room.js";
import { idsOf, startReceiver } from "../support/receiver.js";

const POLL = { timeout: 60_000, interval: 5 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A receiver that fails at first. */
const failing = (times: number) =>
  startReceiver({
    answer: (response, _, index) => response.writeHead(index < times ? 500 : 204).end(),
  });

const attempts = (room: DispatchRoom, count: number) =>
  expect.poll(() => room.notices.length, POLL).toBe(count);

describe.each([
  ["set back by a day", -DAY_MS],
  ["set forward by a day", DAY_MS],
])("a dispatcher whose clock is %s", (_, byMs) => {
  it("repeats what failed before at its time, and again after the clock is put right", async () => {
    const room = await openDispatchRoom();
    const receiver = await failing(3);
    await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["a"]);
    const dispatcher = room.start();
    await attempts(room, 1);
    room.setClock(byMs);
    dispatcher.wake();
    // The first wait is 5 seconds, give or take a fifth, the second one 12 at most.
    room.advance(7_000);
    dispatcher.wake();
    await attempts(room, 2);
    room.setClock(-byMs);
    dispatcher.wake();
    room.advance(15_000);
    dispatcher.wake();
    await attempts(room, 3);
    expect(receiver.requests.flatMap(idsOf)).toEqual(["a", "a", "a"]);
  });

  it("sends what was queued before", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["a"]);
    const dispatcher = room.start({ maxWaitMs: 30_000 });
    room.setClock(byMs);
    dispatcher.wake();
    room.advance(30_000);
    dispatcher.wake();
    await expect.poll(() => receiver.requests.map(idsOf), POLL).toEqual([["a"]]);
  });

  it("sends nothing twice that is under way", async () => {
    const room = await openDispatchRoom();
    const answers: (() => void)[] = [];
    const receiver = await startReceiver({
      answer: (response) => void answers.push(() => response.writeHead(204).end()),
    });
    const witness = await startReceiver();
    await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["a"]);
    const other = await room.addApplication({ webhookUrl: witness.url });
    const dispatcher = room.start();
    await expect.poll(() => answers.length, POLL).toBe(1);
    room.setClock(byMs);
    // Looked at by the same sweep, and by one after it.
    for (const id of ["w1", "w2"]) {
      await room.queue(other, [id]);
      dispatcher.wake();
      await expect.poll(() => witness.requests.flatMap(idsOf), POLL).toContain(id);
    }
    expect(receiver.requests).toHaveLength(1);
    answers[0]?.();
    await attempts(room, 3);
  });

  it("does not count it as time in which an endpoint failed", async () => {
    const room = await openDispatchRoom();
    const receiver = await failing(Infinity);
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a"]);
    const retry = { maxAttempts: 2, firstWaitMs: 1_000, lastWaitMs: 1_000 };
    const dispatcher = room.start({ retry, disableAfterMs: 12 * HOUR_MS });
    await attempts(room, 1);
    room.setClock(byMs);
    dispatcher.wake();
    await expect
      .poll(async () => {
        const since = (await room.storage.applications.get(application.id))?.failingSince ?? 0;
        return Math.abs(room.clock() - since) / 1000 < HOUR_MS;
      }, POLL)
      .toBe(true);
    room.advance(2_000);
    dispatcher.wake();
    await expect
      .poll(() => room.notices.at(-1), POLL)
      .toMatchObject({ type: "attempt", state: "dead" });
    expect(await room.storage.applications.get(application.id)).toMatchObject({ disabledAt: null });
  });
});
