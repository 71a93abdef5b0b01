import { formatTimestamp } from "@riskgate/core/payloads";
import { describe, expect, it } from "vitest";
import type { Subject } from "../../../src/model/subject.js";
import { MINUTE, type OpenIntake, openIntake, SECOND, START } from "../../support/open-intake.js";

const ada = "ada@shop.example";
const paris = { city: "Paris", code: "FRA", point: [2.35, 48.85] };
const tokyo = { city: "Tokyo", code: "JPN", point: [139.7, 35.7] };

type Outcome = Readonly<Record<string, unknown>>;

const fail = (members: Outcome = {}): Outcome => ({
  account: ada,
  address: "8.8.8.8",
  success: false,
  ...members,
});
const pass = (members: Outcome = {}): Outcome => fail({ success: true, ...members });
const times = (count: number, make: (index: number) => Outcome): Outcome[] =>
  Array.from({ length: count }, (_, index) => make(index));
const erase = async ({ storage }: OpenIntake, subject: Subject): Promise<void> => {
  await storage.erase(subject);
};
const at = (micros: number): Outcome => ({ at: formatTimestamp(START + micros) });

/** Report outcomes; the kinds that were detected. */
async function kindsOf({ intake, applicationId }: OpenIntake, outcomes: Outcome[]) {
  const { events, refused } = await intake.outcomes(applicationId, outcomes);
  expect(refused).toBe(0);
  return events.map(({ kind }) => kind);
}

describe("intake.outcomes", () => {
  it("detects a brute force at its threshold, and names no address that failed once", async () => {
    const open = await openIntake();
    const spread = times(9, (n) => fail({ address: `8.8.8.${n}` }));
    expect(await kindsOf(open, spread)).toEqual([]);
    expect(await kindsOf(open, [fail({ address: "8.8.8.9", userAgent: "curl" })])).toEqual([
      "auth_bruteforce",
    ]);
    const { events, incidents } = await open.payloads();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      event_category: "authentication",
      humanized_description: `Account takeover attempt on ${ada} from several addresses`,
      application_account_account_keys: [{ name: "email", value: ada }],
      user_agent: "curl",
    });
    expect(events[0]?.ips).toEqual([]);
    expect(incidents).toMatchObject([
      { pulse_genre: "account_takeover", ip_addresses_count: 0, accounts_count: 1 },
    ]);
  });

  /** Ten ways to write one mailbox. */
  const spellings = [
    "Victim@x.com",
    "VICTIM@X.COM",
    "victim@x.com.",
    " victim@x.com",
    "victim+1@x.com",
    "victim+2@x.com",
    '"victim"@x.com',
    "vi\u200bctim@x.com",
    "victim(one)@x.com",
    "\uff56ictim@x.com",
  ];

  it("detects a brute force in whatever spellings of one mailbox", async () => {
    const open = await openIntake();
    const same = spellings.map((account) => fail({ account, ...at(0) }));
    expect(await kindsOf(open, same)).toEqual(["auth_bruteforce"]);
    const { events, incidents } = await open.payloads();
    // Shown as the last one was reported.
    expect(events[0]?.application_account_account_keys).toMatchObject([
      { value: spellings.at(-1) },
    ]);
    expect(incidents).toMatchObject([{ pulse_genre: "account_takeover", accounts_count: 1 }]);
    // A success in another spelling is the takeover.
    expect(await kindsOf(open, [pass({ account: "victim@x.com", address: "9.9.9.9" })])).toEqual([
      "auth_bruteforce_success",
    ]);
  });

  it("does not take the spellings of one mailbox for a scan of many accounts", async () => {
    const open = await openIntake({
      rules: { logins: { bruteforceFailures: 1000, scanAccounts: 2 } },
    });
    const same = spellings.map((account) => fail({ account }));
    expect(await kindsOf(open, same)).toEqual([]);
    expect(await kindsOf(open, [fail({ account: "other@x.com" })])).toEqual(["auth_scan"]);
  });

  it("counts each sub-address for itself without the rules of providers", async () => {
    const open = await openIntake({ providerRules: false });
    const tagged = times(10, (n) => fail({ account: `victim+${n}@x.com` }));
    expect(await kindsOf(open, tagged)).toEqual(["auth_scan"]);
  });

  it("forgets the failures of a mailbox that is erased in another spelling", async () => {
    const open = await openIntake();
    await kindsOf(
      open,
      times(9, (n) => fail({ account: `victim+${n}@x.com` })),
    );
    await erase(open, { type: "account", subject: "VICTIM@x.com" });
    expect(await kindsOf(open, [fail({ account: "victim@x.com" })])).toEqual([]);
  });

  it("reports what goes on at twice the size, or after the window", async () => {
    const open = await openIntake();
    expect(
      await kindsOf(
        open,
        times(19, () => fail()),
      ),
    ).toEqual(["auth_bruteforce"]);
    expect(await kindsOf(open, [fail()])).toEqual(["auth_bruteforce"]);
    open.clock.now += 10 * MINUTE - SECOND;
    expect(await kindsOf(open, [fail()])).toEqual([]);
    open.clock.now += SECOND;
    expect(
      await kindsOf(
        open,
        times(10, () => fail()),
      ),
    ).toEqual(["auth_bruteforce"]);
  });

  it("forgets failures that lie outside of the window", async () => {
    const open = await openIntake();
    await kindsOf(
      open,
      times(9, () => fail()),
    );
    open.clock.now += 10 * MINUTE;
    expect(await kindsOf(open, [fail()])).toEqual([]);
  });

  it("takes late outcomes in any order", async () => {
    const open = await openIntake();
    const late = times(10, (n) => fail(at(-n * SECOND)));
    expect(await kindsOf(open, late)).toEqual(["auth_bruteforce"]);
  });

  it("counts a dated outcome once, however often it is reported", async () => {
    const open = await openIntake();
    const nine = times(9, (n) => fail(at(-n * SECOND)));
    await kindsOf(open, nine);
    const { duplicates, events } = await open.intake.outcomes(open.applicationId, nine);
    expect([duplicates, events]).toEqual([9, []]);
  });

  it("detects the takeover behind a brute force", async () => {
    const open = await openIntake();
    await kindsOf(open, [pass({ address: "9.9.9.9" }), ...times(20, () => fail())]);
    expect(await kindsOf(open, [pass()])).toEqual(["auth_bruteforce_success"]);
    const { incidents } = await open.payloads();
    expect(incidents.at(-1)).toMatchObject({
      pulse_genre: "account_takeover_success",
      humanized_title: `Successful account takeover attempt on user account ${ada}`,
    });
    // The owner is the victim of the first two; after the third somebody else acts as them.
    expect(await open.engine.lookupEmail(ada)).toMatchObject({
      security_events_count: 3,
      high_risk_security_events_count: 1,
    });
  });

  it("names the addresses of a brute force beyond their bound, and none with each success behind it", async () => {
    const open = await openIntake();
    const address = (n: number): string => `2001:db8:${n.toString(16)}::1`;
    await kindsOf(
      open,
      times(100, (n) => fail({ address: address(n % 10) })),
    );
    const passes = times(50, (n) => pass({ address: address(200 + n) }));
    expect(new Set(await kindsOf(open, passes))).toEqual(new Set(["auth_bruteforce_success"]));
    const { events } = await open.payloads();
    const named = events.map(({ event_kind, ips }) => [event_kind, ips.length]);
    expect(named.slice(0, 4)).toEqual([0, 0, 0, 0].map((count) => ["auth_bruteforce", count]));
    expect(named).toHaveLength(54);
    expect(new Set(named.slice(4).map(String))).toEqual(new Set(["auth_bruteforce_success,0"]));
  });

  it("never takes an owner who mistypes at home for an attacker", async () => {
    const open = await openIntake();
    await kindsOf(open, [pass({ address: "2001:db8::1" })]);
    const mistyped = times(30, (n) => fail({ address: `2001:db8::${n}` }));
    expect(await kindsOf(open, [...mistyped, pass({ address: "2001:db8::9" })])).toEqual([]);
  });

  it("lets an owner in from home while others try", async () => {
    const open = await openIntake();
    await kindsOf(open, [pass({ address: "1.1.1.1" }), ...times(20, () => fail())]);
    expect(await kindsOf(open, [pass({ address: "1.1.1.1" })])).toEqual([]);
    expect(await kindsOf(open, [pass()])).toEqual(["auth_bruteforce_success"]);
  });

  it("knows a network of an attacker as little after the takeover", async () => {
    const open = await openIntake();
    await kindsOf(open, [...times(20, () => fail()), pass()]);
    open.clock.now += 11 * MINUTE;
    expect(await kindsOf(open, [...times(20, () => fail()), pass()])).toEqual([
      "auth_bruteforce",
      "auth_bruteforce",
      "auth_bruteforce_success",
    ]);
  });

  it("does not learn a network from a success after ten guesses, which causes no event", async () => {
    const open = await openIntake();
    for (let round = 0; round < 3; round++) {
      const guessed = [...times(10, () => fail()), pass()];
      expect(await kindsOf(open, guessed)).toEqual(["auth_bruteforce"]);
      open.clock.now += 11 * MINUTE;
    }
    await kindsOf(open, [pass()]);
    expect(
      await kindsOf(
        open,
        times(10, () => fail()),
      ),
    ).toEqual([]);
  });

  it("detects an account scan, and the accounts it got into", async () => {
    const open = await openIntake();
    const scan = times(10, (n) => fail({ account: `nobody${n}@shop.example` }));
    expect(await kindsOf(open, scan.slice(1))).toEqual([]);
    expect(await kindsOf(open, scan.slice(0, 1))).toEqual(["auth_scan"]);
    const eve = { account: "eve@shop.example" };
    expect(await kindsOf(open, [...times(3, () => fail(eve)), pass(eve)])).toEqual([
      "auth_scan_success",
    ]);
    const { events, incidents } = await open.payloads();
    expect(events[0]?.application_account_account_keys).toEqual([]);
    expect(incidents).toMatchObject([
      { pulse_genre: "account_enumeration", accounts_count: 10, ip_addresses_count: 1 },
      { pulse_genre: "account_enumeration_success", humanized_accounts: "eve@shop.example" },
    ]);
  });

  it.each([
    ["the application says so", { known: true }, []],
    ["they have logged in before", {}, [pass({ address: "9.9.9.9" })]],
  ])("takes accounts for real where %s", async (_, members, before) => {
    const open = await openIntake();
    const accounts = times(5, (n) => ({ account: `user${n}@shop.example` }));
    for (const login of before) {
      await kindsOf(
        open,
        accounts.map((account) => ({ ...login, ...account })),
      );
    }
    const scan = accounts.map((account) => fail({ ...members, ...account }));
    expect(await kindsOf(open, scan.slice(1))).toEqual([]);
    expect(await kindsOf(open, scan.slice(0, 1))).toEqual(["auth_scan_real_accounts"]);
  });

  it("leaves out the scan of any accounts where real ones are scanned", async () => {
    const open = await openIntake();
    const scan = times(10, (n) => fail({ account: `user${n}@shop.example`, known: true }));
    expect(await kindsOf(open, scan)).toEqual([
      "auth_scan_real_accounts",
      "auth_scan_real_accounts",
    ]);
  });

  it("counts all of a /64 as one visitor, unless told otherwise", async () => {
    const scan = times(10, (n) => fail({ account: `n${n}@shop.example`, address: `2a00::${n}` }));
    expect(await kindsOf(await openIntake(), scan)).toEqual(["auth_scan"]);
    const single = await openIntake({ rules: { logins: { ipv6Prefix: 128 } } });
    expect(await kindsOf(single, scan)).toEqual([]);
  });

  it("counts clients of a NAT64 gateway by their IPv4 addresses", async () => {
    const open = await openIntake();
    const scan = times(10, (n) =>
      fail({ account: `n${n}@shop.example`, address: `64:ff9b::8.8.${n}.8` }),
    );
    expect(await kindsOf(open, scan)).toEqual([]);
    const guesses = times(20, (n) => fail({ address: n % 2 ? "8.8.4.4" : "64:ff9b::8.8.4.4" }));
    await kindsOf(open, guesses);
    const { events } = await open.payloads();
    expect(events.at(-1)?.ips).toMatchObject([{ address: "8.8.4.4" }]);
  });

  it("detects a new location and several at once", async () => {
    const open = await openIntake();
    expect(await kindsOf(open, [pass({ location: paris })])).toEqual([]);
    expect(await kindsOf(open, [pass({ location: tokyo, address: "9.9.9.9" })])).toEqual([
      "auth_new_location",
      "auth_multi_locations",
    ]);
    open.clock.now += 11 * MINUTE;
    expect(await kindsOf(open, [pass({ location: tokyo, address: "9.9.9.9" })])).toEqual([]);
    const { events } = await open.payloads();
    expect(events[0]?.ips[0]?.geo).toEqual(tokyo);
  });

  it("detects Tor by what the engine knows", async () => {
    const open = await openIntake({
      peek: {
        peekIp: (ip) => ({ assessment: { risk_score: 60, is_tor: ip === "8.8.8.8" } }),
        peekEmail: () => undefined,
      },
    });
    expect(await kindsOf(open, [fail({ address: "9.9.9.9" })])).toEqual([]);
    expect(await kindsOf(open, [fail(), fail()])).toEqual(["auth_tor_tentative"]);
    const { events } = await open.payloads();
    expect(events[0]?.ips[0]?.is_tor).toBe(true);
  });

  it("R22 knows owners whatever accounts somebody else invents", async () => {
    const open = await openIntake({ rules: { maxSubjects: 100 } });
    await kindsOf(open, [pass({ address: "1.1.1.1", location: paris })]);
    const spray = (n: number) => fail({ account: `x${n}`, address: `8.8.${n >> 8}.${n & 255}` });
    await open.intake.outcomes(open.applicationId, times(1000, spray));
    await kindsOf(
      open,
      times(30, () => fail({ address: "1.1.1.1" })),
    );
    expect(await kindsOf(open, [pass({ address: "1.1.1.1", location: tokyo })])).toEqual([
      "auth_new_location",
      "auth_multi_locations",
    ]);
  });

  it("forgets an account and a network that are erased", async () => {
    const open = await openIntake();
    const nobody = (n: number): Outcome => fail({ account: `nobody${n}@shop.example` });
    await kindsOf(open, [...times(9, nobody), ...times(9, () => fail({ address: "2a00::1" }))]);
    await erase(open, { type: "ip", subject: "8.8.8.8" });
    await erase(open, { type: "account", subject: ada });
    expect(await kindsOf(open, [nobody(9), fail({ address: "2a00::1" })])).toEqual([]);
    await erase(open, { type: "net", subject: "2a00::/64" });
    expect(
      await kindsOf(
        open,
        times(10, () => fail()),
      ),
    ).toEqual(["auth_bruteforce"]);
  });

  it("counts on after a restart, by what was stored with the reports", async () => {
    const open = await openIntake();
    await kindsOf(
      open,
      times(9, (n) => fail({ address: `8.8.8.${n}` })),
    );
    const again = await open.reopen();
    expect(await kindsOf(again, [fail({ address: "8.8.8.9" })])).toEqual(["auth_bruteforce"]);
    const third = await again.reopen();
    expect(await kindsOf(third, [fail({ address: "8.8.8.10" })])).toEqual([]);
  });

  it("keeps applications apart", async () => {
    const open = await openIntake();
    const other = await open.storage.applications.create({ name: "Other" });
    await kindsOf(
      open,
      times(9, () => fail()),
    );
    const elsewhere = { ...open, applicationId: other.id };
    expect(await kindsOf(elsewhere, [fail()])).toEqual([]);
  });

  it("refuses each unusable outcome with a reason, and takes the others", async () => {
    const { intake, applicationId } = await openIntake();
    const report = await intake.outcomes(applicationId, [
      fail(),
      fail({ account: " " }),
      fail({ address: "8.8.8" }),
      fail({ success: "no" }),
      fail({ at: "yesterday" }),
      fail(at(6 * MINUTE)),
      fail({ location: { point: [200, 0] } }),
      null,
      pass(),
    ]);
    expect([report.accepted, report.refused]).toEqual([2, 7]);
    const reasons = report.elements.flatMap((one) => ("reason" in one ? one.reason : []));
    expect(reasons.map((reason) => /`([\w.]+)`/.exec(reason)?.[1])).toEqual([
      "account",
      "address",
      "success",
      "at",
      "at",
      "location.point",
      undefined,
    ]);
  });
});
