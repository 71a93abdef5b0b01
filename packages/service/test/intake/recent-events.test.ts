import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../src/model/log-entry.js";
import { createRecentEvents } from "../../src/intake/recent-events.js";
import type { IntakeEvent } from "../../src/model/event.js";
import { openIntake } from "../support/open-intake.js";

const ip = "198.51.100.7";
const event = (id: string) => ({ id, event_kind: "auth_bruteforce", ips: [ip] });

/** An intake whose detection waits before it reads the log. */
async function openWaiting() {
  const room = await openIntake();
  const { storage, applicationId } = room;
  let go = (): void => {};
  const going = new Promise<void>((resolve) => (go = resolve));
  const read: LogEntry[] = [];
  const log: typeof storage.log = {
    ...storage.log,
    async read(...given) {
      await going;
      const entries = await storage.log.read(...given);
      read.push(...entries);
      return entries;
    },
  };
  const intake = room.restart({ storage: { ...storage, log } });
  const report = async (id: string) => {
    await intake.report(applicationId, [event(id)], { waitMs: 0 });
  };
  /** Resolves once everything has been evaluated. */
  const evaluate = async () => {
    go();
    await intake.report(applicationId, [event("last")]);
  };
  const ledgerOf = () =>
    storage.ledger.entriesOf({ type: "ip", subject: ip }, 10, { isShared: true, applicationId });
  return { storage, report, evaluate, read, ledgerOf };
}

describe("events that were just reported", () => {
  it("are evaluated without reading their payloads again", async () => {
    const { report, evaluate, read, ledgerOf } = await openWaiting();
    await report("first");
    await evaluate();
    expect(read.map(({ eventId, payload }) => [eventId, payload])).toEqual([
      ["first", ""],
      ["last", ""],
    ]);
    expect((await ledgerOf()).map(({ eventId }) => eventId)).toEqual(["last", "first"]);
  });

  it("are not evaluated if they are erased before their turn", async () => {
    const { storage, report, evaluate, read, ledgerOf } = await openWaiting();
    await report("erased");
    expect(await storage.erase({ type: "ip", subject: ip })).toMatchObject({ events: 1 });
    await evaluate();
    const erased = read.filter(({ eventId }) => eventId === "erased");
    expect(new Set(erased.map(({ payload }) => payload))).toEqual(new Set(["{}"]));
    expect((await ledgerOf()).map(({ eventId }) => eventId)).toEqual(["last"]);
  });
});

describe("createRecentEvents", () => {
  const events = (count: number) => Array.from({ length: count }, () => ({}) as IntakeEvent);

  it("holds a limited number, and takes more once the first are forgotten", () => {
    const recent = createRecentEvents();
    recent.add("shop", [1, undefined, 3], events(3));
    recent.add(
      "forum",
      Array.from({ length: 9_000 }, (_, n) => n + 10),
      events(9_000),
    );
    expect([...recent.first("shop", 10).keys()]).toEqual([1, 3]);
    expect(recent.first("forum", 9_000).size).toBe(4_998);
    recent.add("shop", [9_100], events(1));
    expect(recent.first("shop", 10).has(9_100)).toBe(false);
    recent.forget("shop", 1);
    recent.add("shop", [9_101], events(1));
    expect([...recent.first("shop", 10).keys()]).toEqual([3, 9_101]);
    recent.forget("forum");
    expect(recent.first("forum", 10).size).toBe(0);
  });
});
