import { describe, expect, it } from "vitest";
import { createDryRun } from "../../src/intake/dry-run.js";
import { DETECTION_DEFAULTS } from "../../src/detection/detection-settings.js";
import { readPlaybook } from "../../src/detection/playbooks/playbook.js";
import { MINUTE, openIntake, type OpenIntake, SECOND } from "../support/open-intake.js";

const DAY = 1_440 * MINUTE;

const event = (kind: string, email: string, ip: string) => ({
  event_kind: kind,
  application_account_account_keys: [{ name: "email", value: email }],
  ips: [ip],
});

async function dryRun({ storage, clock, applicationId }: OpenIntake, rule: object, days = 7) {
  const run = createDryRun({
    storage,
    rules: DETECTION_DEFAULTS,
    ledger: {},
    engine: {},
    clock: () => clock.now,
  });
  const application = await storage.applications.get(applicationId);
  return run(application!, readPlaybook({ name: "Block", rule }), days);
}

/** What the responses name, oldest first. */
const namedBy = ({ responses }: Awaited<ReturnType<typeof dryRun>>) =>
  responses.map(({ payload }) => payload["properties"]).toReversed();

describe("a dry run", () => {
  it("does what the playbook would have done, at the time of the events", async () => {
    const room = await openIntake();
    const { intake, applicationId, clock } = room;
    const start = clock.now;
    for (const ip of ["192.0.2.7", "192.0.2.8", "192.0.2.7", "192.0.2.7"]) {
      await intake.report(applicationId, [event("sql_injection", "ada@x.y", ip)]);
      clock.now += SECOND;
    }
    clock.now += DAY;
    const result = await dryRun(room, { kinds: ["sql_injection"], count: 3 });
    expect(result).toMatchObject({ events: 4, isPartial: false, responseCount: 1 });
    expect(result.responses.at(0)?.createdAt).toBe(start + 3 * SECOND);
    expect(namedBy(result)).toMatchObject([{ ips: [{ ip_cidr: "192.0.2.7/32" }] }]);
  });

  it("stores and queues nothing", async () => {
    const room = await openIntake();
    const { intake, applicationId, storage, queued } = room;
    await intake.report(applicationId, [event("xss", "ada@x.y", "192.0.2.7")]);
    await room.payloads();
    const before = [queued.length, await storage.incidents.list(), await storage.events.list()];
    expect(await dryRun(room, { kinds: ["xss"] })).toMatchObject({ responseCount: 1 });
    expect(await storage.playbooks.responses(applicationId, 9)).toEqual([]);
    expect(await storage.playbooks.list()).toEqual([]);
    expect(await room.payloads()).toEqual({ events: [], incidents: [], responses: [] });
    expect([queued.length, await storage.incidents.list(), await storage.events.list()]).toEqual(
      before,
    );
  });

  it("takes no more than the days that are asked for, and only this application", async () => {
    const room = await openIntake();
    const { intake, applicationId, clock, storage } = room;
    await intake.report(applicationId, [event("xss", "ada@x.y", "192.0.2.7")]);
    const other = await storage.applications.create({ name: "Other" });
    clock.now += 2 * DAY;
    await intake.report(other.id, [event("xss", "ada@x.y", "192.0.2.8")]);
    await intake.report(applicationId, [event("xss", "ada@x.y", "192.0.2.9")]);
    const result = await dryRun(room, { kinds: ["xss"] }, 1);
    expect(namedBy(result)).toMatchObject([{ ips: [{ ip_cidr: "192.0.2.9/32" }] }]);
    expect(await dryRun(room, { kinds: ["xss"] }, 3)).toMatchObject({ responseCount: 2 });
  });

  it("groups events into incidents, which end when they are quiet", async () => {
    const room = await openIntake();
    const { intake, applicationId, clock, storage } = room;
    const rule = { genres: ["account_takeover"], count: 3 };
    await storage.playbooks.create(applicationId, { name: "Stop", rule, response: {} });
    for (const size of [5, 2, 5]) {
      for (let index = 0; index < size; index++) {
        await intake.report(applicationId, [event("auth_bruteforce", "ada@x.y", "192.0.2.7")]);
        clock.now += SECOND;
      }
      clock.now += 300 * MINUTE;
      await intake.sweep();
    }
    const sent = await storage.playbooks.responses(applicationId, 9);
    const result = await dryRun(room, rule);
    expect(sent).toHaveLength(2);
    expect(result.responses.map(({ createdAt }) => createdAt)).toEqual(
      sent.map(({ createdAt }) => createdAt),
    );
  });

  it("scores accounts by what had occurred until then", async () => {
    const room = await openIntake();
    const { intake, applicationId, clock, storage } = room;
    const rule = { accountScoreAbove: 60 };
    await storage.playbooks.create(applicationId, { name: "Score", rule, response: {} });
    for (let index = 0; index < 6; index++) {
      await intake.report(applicationId, [
        event("auth_bruteforce_success", "ada@x.y", "192.0.2.7"),
        event("auth_new_location", "bob@x.y", "192.0.2.8"),
      ]);
      clock.now += SECOND;
    }
    const sent = await storage.playbooks.responses(applicationId, 9);
    const result = await dryRun(room, rule);
    expect(sent.length).toBeGreaterThan(0);
    expect(namedBy(result)).toEqual(sent.map(({ payload }) => payload["properties"]).toReversed());
  });

  it("leaves out what was erased", async () => {
    const room = await openIntake();
    const { intake, applicationId, storage } = room;
    await intake.report(applicationId, [event("xss", "ada@x.y", "192.0.2.7")]);
    await storage.erase({ type: "account", subject: "ada@x.y" });
    expect(await dryRun(room, { kinds: ["xss"] })).toMatchObject({ responseCount: 0 });
  });
});
