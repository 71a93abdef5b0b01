import type { RecordedEvent } from "@riskgate/api-types";
import { describe, expect, it } from "vitest";
import { foldEvents } from "../../src/app/fold-events.js";

let seq = 0;

/** An event that was received some minutes after the others. */
function event(kind: string, minute: number, about: Partial<RecordedEvent["payload"]> = {}) {
  const receivedAt = new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
  const given = { seq: ++seq, kind, receivedAt, applicationId: "shop", payload: about };
  return given as unknown as RecordedEvent;
}

const sizes = (events: readonly RecordedEvent[]) =>
  foldEvents(events).map((fold) => [fold.events[0].kind, fold.events.length]);

describe("the list of events", () => {
  it("folds the events of one kind within ten minutes, whatever is between them", () => {
    const events = [event("scan", 20), event("xss", 19), event("scan", 10), event("scan", 9)];
    expect(sizes(events)).toEqual([
      ["scan", 2],
      ["xss", 1],
      ["scan", 1],
    ]);
  });

  it("keeps applications apart", () => {
    const other = { ...event("scan", 1), applicationId: "mall" };
    expect(sizes([event("scan", 1), other])).toEqual([
      ["scan", 1],
      ["scan", 1],
    ]);
  });

  it("counts the addresses and accounts of a fold once each", () => {
    const keys = (value: string) => [{ name: "email", value }];
    const about = (address: string, account: string) => ({
      ips: [{ address }],
      application_account_account_keys: keys(account),
    });
    const events = [
      event("scan", 2, about("192.0.2.1", "ada@shop.example")),
      event("scan", 1, about("192.0.2.2", "ada@shop.example")),
      event("scan", 0, about("192.0.2.1", "bob@shop.example")),
    ];
    expect(foldEvents(events)).toMatchObject([{ addresses: 2, accounts: 2 }]);
  });
});
