import { formatTimestamp } from "@riskgate/core/payloads";
import { describe, expect, it } from "vitest";
import { MINUTE, openIntake } from "../support/open-intake.js";

const DAY = 24 * 60 * MINUTE;
const from = (event_kind: string, ip: string) => ({ event_kind, ips: [ip] });

describe("an intake whose clock is set back by a day", () => {
  it("answers to an attack that a response from before is about", async () => {
    const open = await openIntake();
    const rule = { kinds: ["xss"] };
    await open.storage.playbooks.create(open.applicationId, { name: "Block", rule, response: {} });
    await open.intake.report(open.applicationId, [from("xss", "8.8.8.8")]);
    expect((await open.payloads()).responses).toHaveLength(1);
    open.clock.now -= DAY;
    await open.intake.report(open.applicationId, [from("xss", "8.8.8.8")]);
    expect((await open.payloads()).responses).toHaveLength(1);
    await open.intake.report(open.applicationId, [from("xss", "8.8.8.8")]);
    expect((await open.payloads()).responses).toEqual([]);
  });

  it.each(["runs on", "is started again"])("counts on in the windows where it %s", async (how) => {
    const open = await openIntake();
    const rule = { kinds: ["scan"], count: 3 };
    await open.storage.playbooks.create(open.applicationId, { name: "Block", rule, response: {} });
    const two = [from("scan", "8.8.8.8"), from("scan", "8.8.8.8")];
    await open.intake.report(open.applicationId, two);
    open.clock.now -= DAY;
    const again = how === "runs on" ? open : await open.reopen();
    await again.intake.report(again.applicationId, [from("scan", "8.8.8.8")]);
    expect((await again.payloads()).responses).toHaveLength(1);
  });

  it("delivers what changes of an incident, and ends it when it is quiet", async () => {
    const open = await openIntake();
    await open.intake.report(open.applicationId, [from("xss", "8.8.8.8")]);
    open.clock.now -= DAY;
    await open.intake.sweep();
    await open.payloads();
    open.clock.now += 2 * MINUTE;
    await open.intake.report(open.applicationId, [from("xss", "8.8.4.4")]);
    expect((await open.payloads()).incidents).toMatchObject([{ ip_addresses_count: 2 }]);
    open.clock.now += 31 * MINUTE;
    await open.intake.sweep();
    expect(await open.storage.incidents.list({ open: true })).toEqual([]);
    expect((await open.payloads()).incidents).toHaveLength(1);
  });
});

describe("an intake that refuses dated reports as from the future", () => {
  const dated = (at: number) => [
    { event_kind: "xss", ips: ["8.8.8.8"], date_occurred: formatTimestamp(at) },
  ];

  it.each(["runs on", "is started again"])(
    "says that its clock is behind, after it fell back and the service %s",
    async (how) => {
      const open = await openIntake();
      const at = open.clock.now;
      await open.intake.report(open.applicationId, dated(at));
      open.clock.now -= 10 * MINUTE;
      const again = how === "runs on" ? open : await open.reopen();
      const { refused, elements } = await again.intake.report(again.applicationId, dated(at));
      expect(refused).toBe(1);
      expect(elements[0]).toMatchObject({ reason: expect.stringContaining("the clock of the") });
      expect(again.intake.isClockBehind()).toBe(true);
      expect(again.errors).toMatchObject([{ message: expect.stringContaining("clock is behind") }]);
      await again.intake.report(again.applicationId, dated(at));
      expect(again.errors).toHaveLength(1);
      again.clock.now += 10 * MINUTE;
      expect(again.intake.isClockBehind()).toBe(false);
    },
  );

  it("does not take the wrong clock of a sender for its own", async () => {
    const open = await openIntake();
    const at = open.clock.now;
    await open.intake.report(open.applicationId, dated(at));
    await open.intake.report(open.applicationId, dated(at + 10 * MINUTE));
    expect(open.intake.isClockBehind()).toBe(false);
    // Its own clock was ahead and is right now: others report with the right time.
    open.clock.now -= 10 * MINUTE;
    await open.intake.report(open.applicationId, dated(at));
    expect(open.intake.isClockBehind()).toBe(true);
    await open.intake.report(open.applicationId, dated(open.clock.now - 2 * MINUTE));
    expect(open.intake.isClockBehind()).toBe(false);
  });
});
