import { describe, expect, it } from "vitest";
import type { StoredIncident } from "../../src/model/incident.js";
import { MINUTE, openIntake, START } from "../support/open-intake.js";
import { openIncidents } from "../support/stored-incidents.js";

/** An intake that has not yet read anything, 31 minutes after the last event of some incidents. */
async function quiet(incidentsOf: (applicationId: string) => readonly StoredIncident[]) {
  const open = await openIntake();
  await open.storage.incidents.save(incidentsOf(open.applicationId));
  open.clock.now = START + 31 * MINUTE;
  const ended = async () => {
    await open.intake.sweep();
    await expect.poll(() => open.storage.incidents.countOpen()).toBe(0);
    const { incidents } = await open.payloads();
    return incidents.map(({ humanized_title: title }) => /\S+@\S+/.exec(title ?? "")?.[0] ?? "");
  };
  return { ...open, ended };
}

describe("the sweep of quiet incidents", () => {
  it("ends one that another version stored with fewer members", async () => {
    const { ended, errors } = await quiet((id) =>
      openIncidents(id, 1, START).map((one) => ({ ...one, state: {} })),
    );
    expect(await ended()).toEqual(["user-0@shop.example"]);
    expect(errors).toEqual([]);
  });

  it("reports one that cannot be published, ends it, and continues with the others", async () => {
    const { ended, errors, storage } = await quiet((id) =>
      openIncidents(id, 3, START).map((one, index) =>
        index === 1 ? { ...one, state: { accountNames: null } } : one,
      ),
    );
    expect((await ended()).toSorted()).toEqual(["user-0@shop.example", "user-2@shop.example"]);
    expect(errors).toEqual([expect.objectContaining({ cause: expect.any(TypeError) as object })]);
    expect(String(errors)).toContain("incident 00000000000000000000000000000001 cannot be");
    expect(await storage.incidents.get("1".padStart(32, "0"))).toMatchObject({ endedAt: START });
  });

  it("ends all of several about the same account", async () => {
    const { ended } = await quiet((id) =>
      openIncidents(id, 3, START).map((one) => ({ ...one, subject: "ada@shop.example" })),
    );
    expect((await ended()).toSorted()).toEqual([0, 1, 2].map((n) => `user-${n}@shop.example`));
  });

  it("is noticed by a former owner, which does not continue an incident that has ended", async () => {
    const open = await openIntake();
    const report = async (event_id: string) => {
      const event = { event_kind: "xss", event_id, ips: ["203.0.113.7"] };
      const { events } = await open.intake.report(open.applicationId, [event]);
      expect(events).toHaveLength(1);
    };
    await report("one");
    const first = (await open.storage.incidents.list({ limit: 10 })).at(0)!;
    expect(first).toMatchObject({ endedAt: null });

    // Another process has taken over, and has read no entry yet.
    const successor = open.restart();
    open.clock.now = START + 31 * MINUTE;
    await successor.sweep();
    await expect.poll(() => open.storage.incidents.countOpen()).toBe(0);
    const ended = await open.storage.incidents.get(first.id);

    // The former owner was frozen before the incident went quiet.
    open.clock.now = START + MINUTE;
    await report("two");
    expect(await open.storage.incidents.get(first.id)).toEqual(ended);
    const listed = await open.storage.incidents.list({ limit: 10 });
    expect(listed.map(({ endedAt }) => endedAt === null)).toEqual([true, false]);
    expect(open.errors).toEqual([]);
  });
});
