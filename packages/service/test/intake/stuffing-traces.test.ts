import { formatTimestamp } from "@riskgate/core/payloads";
import { describe, expect, it } from "vitest";
import { openIntake, SECOND, START } from "../support/open-intake.js";

const elsewhere = (index: number): string => `${20 + (index % 60)}.${(index / 60) | 0}.7.9`;
const homeOf = (person: number): string => `84.${person >> 8}.${person & 255}.1`;

/** Tries of a minute on one account each, and every hundredth is right. */
function stuffing(tries: number) {
  return Array.from({ length: tries }, (_, index) => ({
    account: `user${index}@shop.example`,
    address: elsewhere(index),
    success: index % 100 === 7,
    device: "new",
    at: index * (60 / tries),
  }));
}

/** People with known devices, every twentieth with a new one, and a few typing errors. */
function people(logins: number, seconds: number) {
  return Array.from({ length: logins }, (_, index) => ({
    account: `person${index % 300}@shop.example`,
    address: homeOf(index % 300),
    success: index % 25 !== 3,
    device: index % 20 === 5 ? "new" : "known",
    at: (index * seconds) / logins,
  }));
}

describe("1,500 logins in a minute from 1,500 networks", () => {
  it.each([
    ["without attack mode, all 15 accounts", 1_500, 15],
    ["of which attack mode lets 25 reach the password, the one account", 25, 1],
  ])("name, %s that are opened, and respond", async (_, tries, opened) => {
    const open = await openIntake();
    const playbook = {
      name: "Log out",
      rule: { kinds: ["auth_scan_success"], per: "account" },
      response: { addresses: false, accounts: "all" },
    };
    await open.storage.playbooks.create(open.applicationId, playbook);
    const report = async (trace: readonly { readonly at: number }[]): Promise<void> => {
      const begin = open.clock.now;
      for (let from = 0; from < trace.length; from += 100) {
        const part = trace.slice(from, from + 100);
        const values = part.map(({ at, ...login }) => ({
          ...login,
          at: formatTimestamp(begin + Math.round(at * SECOND)),
        }));
        open.clock.now = begin + Math.round((part.at(-1)!.at + 1) * SECOND);
        await open.intake.outcomes(open.applicationId, values);
      }
    };
    open.clock.now = START;
    // Everybody logs in once, so that networks and devices are known.
    await report(people(300, 3_000));
    await report(people(500, 3_000));
    const before = await open.payloads();
    expect(before.events.filter((event) => event.event_kind === "auth_scan_success")).toEqual([]);

    const mixed = [...stuffing(tries), ...people(14, 60)].toSorted((a, b) => a.at - b.at);
    await report(mixed);
    const { events, responses } = await open.payloads();
    const named = events
      .filter((event) => event.event_kind === "auth_scan_success")
      .flatMap((event) => event.application_account_account_keys.map(({ value }) => value));
    const right = stuffing(tries).filter(({ success }) => success);
    expect(named.toSorted()).toEqual(right.map(({ account }) => account).toSorted());
    expect(named).toHaveLength(opened);
    const answered = responses.flatMap(({ properties }) => properties.user_identifiers);
    expect(JSON.stringify(answered)).toContain(named[0]);
    expect(answered).toHaveLength(opened);
  });
});
