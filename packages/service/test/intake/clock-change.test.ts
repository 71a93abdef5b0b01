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
