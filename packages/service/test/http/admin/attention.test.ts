import { describe, expect, it } from "vitest";
import { attentionTo } from "../../../src/http/admin/attention.js";
import type { Application } from "../../../src/model/application.js";

const NOW_MS = 1_700_000_000_000;
const MINUTE = 60_000;

const calm: Parameters<typeof attentionTo>[0] = {
  applications: [],
  backlog: [],
  usage: { databaseBytes: 1, freeBytes: 10e9 },
  deliveries: { pending: 5, delivered: 9, dead: 0, cancelled: 2 },
  feeds: [{ kind: "tor", name: "tor", size: 3, ageMs: 1 }],
  nowMs: NOW_MS,
};

const shop = { id: "a", name: "Shop", disabledAt: null, failingSince: null } as Application;
const late = (minutes: number) => (NOW_MS - minutes * MINUTE) * 1000;

describe("what needs attention", () => {
  it("is nothing while all is well", () => {
    expect(attentionTo({ ...calm, applications: [shop] })).toEqual([]);
  });

  it.each([
    ["disk_full", null, { usage: { databaseBytes: 1, freeBytes: 4e8 } }],
    [
      "application_disabled",
      "a",
      { applications: [{ ...shop, disabledAt: 1, disabledReason: "failed for 5 days" }] },
    ],
    ["endpoint_failing", "a", { applications: [{ ...shop, failingSince: late(3) }] }],
    ["deliveries_dead", null, { deliveries: { ...calm.deliveries, dead: 1 } }],
    [
      "payloads_waiting",
      "a",
      { backlog: [{ applicationId: "a", count: 2, oldestQueuedAt: late(6) }] },
    ],
    ["feed_empty", null, { feeds: [{ kind: "tor", name: "tor", size: 0 }] }],
    [
      "feed_old",
      null,
      { feeds: [{ kind: "tor", name: "tor", size: 1, ageMs: 15 * 1_440 * MINUTE }] },
    ],
    ["no_address_data", null, { feeds: [] }],
    ["no_address_data", null, { feeds: [{ kind: "disposable", name: "own", size: 1, ageMs: 1 }] }],
  ] as [string, string | null, Partial<typeof calm>][])("is %s", (what, applicationId, change) => {
    expect(attentionTo({ ...calm, ...change })).toMatchObject([{ what, applicationId }]);
  });

  it.each([
    [3, "Shop's webhook has been failing since 22:10 UTC"],
    [1_440, "Shop's webhook has been failing since 2023-11-13 22:13 UTC"],
  ])("names the time since which a webhook fails: %d minutes ago", (minutes, message) => {
    const applications = [{ ...shop, failingSince: late(minutes) }];
    expect(attentionTo({ ...calm, applications })).toMatchObject([{ message }]);
  });

  it("is not what waits for a moment", () => {
    const backlog = [{ applicationId: "a", count: 2, oldestQueuedAt: late(4) }];
    expect(attentionTo({ ...calm, backlog })).toEqual([]);
  });
});
