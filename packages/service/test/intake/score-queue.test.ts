import { describe, expect, it } from "vitest";
import type { Storage } from "../../src/storage/storage.js";
import { type OpenIntake, openIntake } from "../support/open-intake.js";

type Members = Readonly<Record<string, unknown>>;

const eve = "eve@shop.example";
const attack = (account: string, ip: string, members: Members = {}) => ({
  event_kind: "xss",
  application_account_account_keys: [{ name: "email", value: account }],
  ips: [ip],
  user_agent: "sqlmap/1.8",
  ...members,
});

/** A storage that cannot write what ends a judgement, as on a disk that fills up. */
function fillingUp(storage: Storage): { storage: Storage; free(): void } {
  let isFull = true;
  const filling: Storage = {
    ...storage,
    withWriterLock: (work) => work(filling),
    transaction: async (work) =>
      storage.transaction(async (inner) => {
        const remove = async (seq: number): Promise<void> => {
          if (isFull) throw new Error("database or disk is full");
          await inner.pendingScorings.remove(seq);
        };
        return work({ ...inner, pendingScorings: { ...inner.pendingScorings, remove } });
      }),
  };
  return { free: () => void (isFull = false), storage: filling };
}

/** Block by score, and group by score, in an intake of its own. */
async function openScored(): Promise<OpenIntake> {
  const open = await openIntake({ rules: { incidents: { accountScoreAbove: 75 } } });
  const rule = { accountScoreAbove: 75 };
  await open.storage.playbooks.create(open.applicationId, { name: "Block", rule, response: {} });
  return open;
}

/** Accept events one by one, and end before their accounts are judged. */
async function acceptAndEnd(open: OpenIntake, ...events: readonly Members[]): Promise<OpenIntake> {
  const intake = open.restart(fillingUp(open.storage));
  for (const event of events) {
    expect((await intake.report(open.applicationId, [event])).accepted).toBe(1);
  }
  expect((await open.payloads()).responses).toEqual([]);
  return open.reopen();
}

/** What is delivered, without ids and times that are made anew. */
async function judged(open: OpenIntake) {
  const { incidents, responses } = await open.payloads();
  return {
    incidents: incidents.map((incident) => ({ ...incident, id: "", url: "" })),
    responses: responses.map(({ properties }) => properties),
  };
}

describe("what follows from the score of an account", () => {
  it("comes after a restart as it would have come without", async () => {
    const without = await openScored();
    await without.intake.report(without.applicationId, [attack(eve, "8.8.8.8")]);
    const expected = await judged(without);
    expect(expected.incidents.map(({ pulse_genre }) => pulse_genre)).toEqual([
      "injection_xss",
      "user_risk_increased",
    ]);
    expect(expected.responses).toMatchObject([{ user_identifiers: [{ email: eve }] }]);

    const open = await openScored();
    const again = await acceptAndEnd(open, attack(eve, "8.8.8.8"));
    await again.intake.sweep();
    const late = await judged(again);
    expect(late.responses).toEqual(expected.responses);
    const [, risen] = expected.incidents;
    expect(late.incidents).toEqual([{ ...risen, application_id: again.applicationId }]);
    expect((await again.engine.lookupEmail(eve)).security_events_count).toBe(1);
    expect(again.queued).toEqual([again.applicationId]);
  });

  it("comes once, however often the process ends", async () => {
    const open = await acceptAndEnd(await openScored(), attack(eve, "8.8.8.8"));
    await open.intake.sweep();
    expect((await judged(open)).responses).toHaveLength(1);
    const again = await open.reopen();
    await again.intake.sweep();
    expect(await judged(again)).toEqual({ incidents: [], responses: [] });
    expect(await again.storage.pendingScorings.list()).toEqual([]);
    expect((await again.engine.lookupEmail(eve)).security_events_count).toBe(1);
  });

  it("comes before anything new is accepted, so that a score crosses the threshold where it did", async () => {
    const open = await acceptAndEnd(await openScored(), attack(eve, "8.8.8.8"));
    await open.intake.report(open.applicationId, [attack(eve, "8.8.4.4")]);
    const { incidents, responses } = await judged(open);
    expect(incidents.map(({ pulse_genre }) => pulse_genre)).toContain("user_risk_increased");
    // The first event blocks its address with the account, the second only what is new.
    expect(responses).toMatchObject([
      { ips: [{ ip_cidr: "8.8.8.8/32" }], user_identifiers: [{ email: eve }] },
      { ips: [{ ip_cidr: "8.8.4.4/32" }], user_identifiers: [] },
    ]);
  });

  it("is not judged again where it led to nothing", async () => {
    const open = await openScored();
    await open.intake.report(open.applicationId, [
      attack(eve, "8.8.8.8", { event_kind: "auth_bruteforce" }),
    ]);
    expect(await open.storage.pendingScorings.list()).toEqual([]);
    expect((await judged(open)).responses).toEqual([]);
  });

  it.each([
    ["the next report", (open: OpenIntake) => open.intake.report(open.applicationId, [])],
    ["the next sweep", (open: OpenIntake) => open.intake.sweep()],
  ])("R30 is taken up by %s after the disk was full", async (_, next) => {
    const open = await openScored();
    const disk = fillingUp(open.storage);
    const intake = open.restart({ storage: disk.storage });
    await intake.report(open.applicationId, [attack(eve, "8.8.8.8")]);
    expect(open.errors).toMatchObject([{ message: "database or disk is full" }]);
    disk.free();
    await next({ ...open, intake });
    await next({ ...open, intake });
    const { responses } = await judged(open);
    expect(responses).toMatchObject([{ user_identifiers: [{ email: eve }] }]);
    expect(await open.storage.pendingScorings.list()).toEqual([]);
  });

  it("comes in the order of the reports, by the scores of their time", async () => {
    const open = await acceptAndEnd(
      await openScored(),
      attack(eve, "8.8.8.8"),
      attack(eve, "8.8.4.4"),
    );
    expect(await open.storage.pendingScorings.list()).toHaveLength(2);
    await open.intake.sweep();
    const { incidents, responses } = await judged(open);
    expect(incidents).toMatchObject([{ pulse_genre: "user_risk_increased" }]);
    expect(responses.map(({ ips }) => ips.map(({ ip_cidr }) => ip_cidr))).toEqual([
      ["8.8.8.8/32"],
      ["8.8.4.4/32"],
    ]);
    const [incident] = await open.storage.incidents.list({ open: true });
    expect(incident?.state).toMatchObject({ events: 2 });
  });

  it("goes with the application, and with the subject that is erased", async () => {
    const open = await openScored();
    const intake = open.restart(fillingUp(open.storage));
    await intake.report(open.applicationId, [attack(eve, "8.8.8.8")]);
    await open.storage.erase({ type: "account", subject: eve });
    const again = await open.reopen();
    await again.intake.sweep();
    expect((await judged(again)).responses).toEqual([]);
    expect(await again.storage.pendingScorings.list()).toEqual([]);

    const other = await acceptAndEnd(await openScored(), attack(eve, "8.8.8.8"));
    await other.storage.applications.delete(other.applicationId);
    expect(await other.storage.pendingScorings.list()).toEqual([]);
  });
});
