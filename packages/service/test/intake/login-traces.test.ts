import { formatTimestamp } from "@riskgate/core/payloads";
import { describe, expect, it } from "vitest";
import { type OpenIntake, openIntake, START } from "../support/open-intake.js";

/** One login of a trace; `at` in seconds since the start. */
interface TraceLogin {
  readonly at: number;
  readonly account: string;
  readonly address: string;
  readonly success: boolean;
  readonly known?: boolean;
  readonly crossSite?: boolean;
  readonly device?: "known" | "new";
}

/** Returns numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** People who log in; some mistype first, and a few of those give up. */
function crowd(options: {
  readonly people: number;
  readonly logins: number;
  readonly seconds: number;
  readonly typos: number;
  readonly seed: number;
  readonly addressOf: (person: number) => string;
}): TraceLogin[] {
  const { people, logins, seconds, typos, seed, addressOf } = options;
  const random = seeded(seed);
  return times(logins, () => {
    const person = Math.floor(random() * people);
    const who = { account: `person${person}@school.example`, address: addressOf(person) };
    const at = random() * seconds;
    const mistypes = random() < typos;
    const givesUp = random() < 0.1;
    const retry = at + 5 + random() * 40;
    if (!mistypes) return [{ ...who, at, success: true, known: true }];
    const failure = { ...who, at, success: false, known: true };
    return givesUp ? [failure] : [failure, { ...who, at: retry, success: true, known: true }];
  })
    .flat()
    .toSorted((a, b) => a.at - b.at);
}

/** Opens an intake with a playbook on defaults for every kind of login attack. */
async function openWithPlaybook(): Promise<OpenIntake> {
  const open = await openIntake();
  const kinds = [
    "auth_bruteforce",
    "auth_bruteforce_success",
    "auth_scan",
    "auth_scan_real_accounts",
    "auth_scan_success",
  ];
  const playbook = { name: "Block", rule: { kinds }, response: {} };
  await open.storage.playbooks.create(open.applicationId, playbook);
  return open;
}

/** Reports a trace in batches, by default of a minute, and returns what was queued. */
async function replay(open: OpenIntake, trace: readonly TraceLogin[], seconds = 60) {
  const batches = new Map<number, TraceLogin[]>();
  for (const login of trace) {
    const batch = Math.floor(login.at / seconds);
    batches.set(batch, [...(batches.get(batch) ?? []), login]);
  }
  for (const [batch, logins] of batches) {
    open.clock.now = START + (batch + 1) * seconds * 1_000_000;
    const outcomes = logins.map(({ at, ...login }) => {
      return { ...login, at: formatTimestamp(START + Math.round(at * 1_000_000)) };
    });
    const { refused } = await open.intake.outcomes(open.applicationId, outcomes);
    expect(refused).toBe(0);
  }
  return open.payloads();
}

type Queued = Awaited<ReturnType<OpenIntake["payloads"]>>;

const kindsIn = ({ events }: Queued): (string | undefined)[] =>
  events.map(({ event_kind }) => event_kind);
const addressesIn = ({ events }: Queued): string[] =>
  [...new Set(events.flatMap(({ ips }) => ips.map(({ address }) => address)))].toSorted();

const accountsOf = ({ properties }: Queued["responses"][number]): readonly unknown[] =>
  properties?.user_identifiers ?? [];

async function expectNobodyNamed(open: OpenIntake, queued: Queued, address: string) {
  expect(kindsIn(queued)).toEqual([]);
  expect(queued.responses).toEqual([]);
  expect(await open.engine.lookupIp(address)).toMatchObject({
    is_known_attacker: false,
    risk_score: 0,
  });
}

describe("people behind one address", () => {
  it.each([
    ["200 students with 7 typos", { people: 200, logins: 200, seconds: 600, typos: 0.035 }],
    [
      "a campus with 2,000 logins an hour",
      { people: 1500, logins: 2000, seconds: 3600, typos: 0.03 },
    ],
    ["a conference of 400 people", { people: 400, logins: 400, seconds: 1800, typos: 0.05 }],
  ])("are not an attack: %s", async (_, options) => {
    for (const seed of [1, 2, 3]) {
      const open = await openWithPlaybook();
      const trace = crowd({ ...options, seed, addressOf: () => "8.8.8.8" });
      expect(trace.filter(({ success }) => !success).length).toBeGreaterThan(3);
      await expectNobodyNamed(open, await replay(open, trace), "8.8.8.8");
    }
  });

  it("are not an attack on an ordinary day of 20,000 logins", async () => {
    const open = await openWithPlaybook();
    // Half of the people share ten addresses of offices and carriers.
    const addressOf = (person: number): string =>
      person % 2
        ? `9.9.9.${person % 10}`
        : `8.${person >> 16}.${(person >> 8) & 255}.${person & 255}`;
    const options = { people: 8000, logins: 20_000, seconds: 86_400, typos: 0.03, seed: 4 };
    const queued = await replay(open, crowd({ ...options, addressOf }), 300);
    await expectNobodyNamed(open, queued, "9.9.9.1");
  }, 180_000);

  it("are not blocked because a page made one browser post wrong logins", async () => {
    const open = await openWithPlaybook();
    const people = crowd({
      people: 20,
      logins: 20,
      seconds: 1200,
      typos: 0,
      seed: 5,
      addressOf: () => "8.8.8.8",
    });
    const forged = times(5, (n) => ({
      at: 300 + n,
      account: `boss${n}@school.example`,
      address: "8.8.8.8",
      success: false,
      known: true,
      crossSite: true,
    }));
    const queued = await replay(
      open,
      [...people, ...forged].toSorted((a, b) => a.at - b.at),
    );
    expect(addressesIn(queued)).toEqual([]);
    expect(kindsIn(queued)).not.toContain("auth_scan_success");
    expect(queued.responses).toEqual([]);
    expect(await open.engine.lookupIp("8.8.8.8")).toMatchObject({ risk_score: 0 });
  });

  it("do not count against their address because they travel", async () => {
    const open = await openWithPlaybook();
    const location = { city: "Tokyo", code: "JPN", point: [139.7, 35.7] };
    for (const [address, place] of [
      ["9.9.9.9", { city: "Paris", code: "FRA", point: [2.35, 48.85] }],
      ["8.8.8.8", location],
    ] as const) {
      const logins = times(50, (n) => ({ account: `p${n}@x.example`, address, success: true }));
      const outcomes = logins.map((login) => ({ ...login, location: place }));
      await open.intake.outcomes(open.applicationId, outcomes);
    }
    expect(kindsIn(await open.payloads())).toContain("auth_new_location");
    const lookedUp = await open.engine.lookupIp("8.8.8.8");
    expect(lookedUp).toMatchObject({ risk_score: 0, security_events_count: 0 });
    // Nor after a restart, when the ledger is read from the database.
    const again = await open.reopen();
    expect(await again.engine.lookupIp("8.8.8.8")).toMatchObject({ security_events_count: 0 });
    const subject = { type: "ip", subject: "8.8.8.8" } as const;
    expect(await again.storage.events.list({ subject, limit: 1 })).toHaveLength(1);
  });
});

describe("people who log in where somebody else fails", () => {
  const address = "8.8.8.8";
  const wrong = (count: number, members: object = {}) =>
    times(count, (n) => ({
      at: n,
      account: `nobody${n}@shop.example`,
      address,
      success: false,
      ...members,
    }));
  const right = (count: number, from: number) =>
    times(count, (n) => ({
      at: from + n / 10,
      account: `person${n}@shop.example`,
      address,
      success: true,
    }));

  it("are not attackers for one right password, nor for a wrong one before it", async () => {
    const alice = { account: "alice@shop.example", success: true };
    const home = { ...alice, at: 0, address: "9.9.9.9" };
    const onWifi = { ...alice, at: 300, address };
    const typos = times(2, (n) => ({ ...onWifi, at: 280 + n, success: false }));
    for (const before of [[], typos]) {
      const open = await openWithPlaybook();
      const queued = await replay(open, [home, ...wrong(10), ...before, onWifi]);
      expect(kindsIn(queued)).toEqual(["auth_scan"]);
      expect(queued.responses.map(accountsOf)).toEqual([[]]);
      expect(await open.engine.lookupEmail(alice.account)).toMatchObject({
        is_known_attacker: false,
        risk_score: 0,
      });
    }
  });

  it("are not attackers although somebody guesses their passwords there too", async () => {
    const open = await openWithPlaybook();
    const alice = { account: "alice@shop.example", address };
    const guesses = times(9, (n) => ({ ...alice, at: 20 + n, success: false, known: true }));
    const queued = await replay(open, [
      ...wrong(12),
      ...guesses,
      { ...alice, at: 60, success: true },
    ]);
    expect(kindsIn(queued)).toEqual(["auth_scan", "auth_scan_success"]);
    expect(queued.events[1]).toMatchObject({
      ips: [],
      humanized_description: `Login to ${alice.account} from a network that is new to the account during an account scan`,
    });
    expect(queued.responses.map(accountsOf)).toEqual([[]]);
    const scored = await open.engine.lookupEmail(alice.account);
    expect(scored).toMatchObject({ is_known_attacker: false });
    expect(scored.risk_score).toBeLessThanOrEqual(40);
  });

  it.each([undefined, true])(
    "outweigh 12 failures with 400 right passwords, known: %s",
    async (known) => {
      const open = await openWithPlaybook();
      const before = await replay(open, wrong(12, { known }));
      expect(addressesIn(before)).toEqual([address]);
      expect(before.responses.flatMap(accountsOf)).toEqual([]);
      const after = await replay(open, right(400, 60));
      expect([after.events, after.responses]).toEqual([[], []]);
      expect(await open.engine.lookupEmail("person7@shop.example")).toMatchObject({
        risk_score: 0,
      });
      // Nor do as many failures again name the address, among so many who succeed.
      const later = wrong(12, { known }).map((one) => ({ ...one, at: one.at + 120 }));
      expect((await replay(open, later)).events).toEqual([]);
    },
  );

  it("are not attackers when nine of them mistype before anybody succeeds", async () => {
    const open = await openWithPlaybook();
    const typos = right(9, 0).map((one) => ({ ...one, success: false, known: true }));
    const queued = await replay(open, [...typos, ...right(400, 20)]);
    expect(kindsIn(queued)).toEqual(["auth_scan_real_accounts"]);
    expect(queued.events[0]).toMatchObject({
      ips: [],
      humanized_description: "Login attempts on several real accounts from one network",
    });
    expect(queued.responses).toEqual([]);
    for (const { account } of typos) {
      expect(await open.engine.lookupEmail(account)).toMatchObject({ is_known_attacker: false });
    }
    expect(await open.engine.lookupIp(address)).toMatchObject({
      is_known_attacker: false,
      risk_score: 0,
    });
  });

  it("do not hide a scan of few real accounts among many invented ones", async () => {
    const open = await openWithPlaybook();
    const real = wrong(5, { known: true }).map((one) => ({ ...one, account: `r${one.account}` }));
    const invented = wrong(5).map((one) => ({ ...one, at: 10 + one.at }));
    const { events } = await replay(open, [...real, ...invented]);
    expect(events.map(({ event_kind, ips }) => [event_kind, ips.length])).toEqual([
      ["auth_scan_real_accounts", 0],
      ["auth_scan_real_accounts", 1],
    ]);
    expect(await open.engine.lookupIp(address)).toMatchObject({ is_known_attacker: true });
  });
});

describe("one wrong password from each of ten offices", () => {
  const victim = "owner@shop.example";
  const offices = times(10, (n) => `8.8.${n}.8`);
  const wrong = offices.map((address, n) => ({ at: n, account: victim, address, success: false }));

  it("names the account and none of the offices", async () => {
    const open = await openWithPlaybook();
    const queued = await replay(open, wrong);
    expect(kindsIn(queued)).toEqual(["auth_bruteforce"]);
    expect(queued.events[0]).toMatchObject({
      ips: [],
      humanized_description: `Account takeover attempt on ${victim} from several addresses`,
      application_account_account_keys: [{ value: victim }],
    });
    expect(queued.responses).toEqual([]);
    for (const office of offices) {
      expect(await open.engine.lookupIp(office)).toMatchObject({ risk_score: 0 });
    }
  });

  const right = { at: 60, account: victim, address: "8.8.3.8", success: true };

  it.each([undefined, "known", "new"] as const)(
    "does not take the owner in one of them for an attacker, whose failure her success cancels: device %s",
    async (device) => {
      const open = await openWithPlaybook();
      const queued = await replay(open, [...wrong, { ...right, ...(device && { device }) }]);
      expect(kindsIn(queued)).toEqual(["auth_bruteforce"]);
      expect(addressesIn(queued)).toEqual([]);
      expect(queued.responses).toEqual([]);
      expect(await open.engine.lookupEmail(victim)).toMatchObject({ is_known_attacker: false });
    },
  );

  it("does not report the owner who logs in at another one with a known device", async () => {
    const open = await openWithPlaybook();
    const known = { ...right, address: "9.9.9.9", device: "known" } as const;
    expect(kindsIn(await replay(open, [...wrong, known]))).toEqual(["auth_bruteforce"]);
  });

  it("does not make an attacker of the owner who logs in at another one", async () => {
    const open = await openWithPlaybook();
    const queued = await replay(open, [...wrong, { ...right, address: "9.9.9.9" }]);
    expect(kindsIn(queued)).toEqual(["auth_bruteforce", "auth_bruteforce_success"]);
    expect(addressesIn(queued)).toEqual([]);
    expect(queued.responses).toEqual([]);
    const scored = await open.engine.lookupEmail(victim);
    expect(scored).toMatchObject({ is_known_attacker: false });
    expect(scored.risk_score).toBeLessThanOrEqual(40);
    const again = await open.reopen();
    expect(await again.engine.lookupEmail(victim)).toMatchObject({ is_known_attacker: false });
  });
});

describe("an owner who enters wrong passwords, and then the right one", () => {
  const owner = "owner@shop.example";
  const [home, elsewhere] = ["8.8.8.8", "9.9.9.9"];
  const login = (at: number, success: boolean, address = home) => {
    return { at, account: owner, address, success, known: true };
  };
  const wrong = (count: number) => times(count, (n) => login(100 + n, false));

  async function expectNoAttacker(open: OpenIntake, queued: Queued) {
    expect(addressesIn(queued)).toEqual([]);
    expect(queued.responses).toEqual([]);
    expect(await open.engine.lookupIp(home)).toMatchObject({
      is_known_attacker: false,
      risk_score: 0,
    });
    const scored = await open.engine.lookupEmail(owner);
    expect(scored).toMatchObject({ is_known_attacker: false });
    expect(scored.risk_score).toBeLessThanOrEqual(40);
  }

  it.each([10, 19, 200])(
    "is not seen at all after %d from a network that she used before",
    async (count) => {
      const open = await openWithPlaybook();
      const queued = await replay(open, [login(0, true), ...wrong(count), login(500, true)]);
      expect(queued.events).toEqual([]);
      await expectNoAttacker(open, queued);
    },
  );

  it.each([
    ["on her first login", []],
    ["at a new network", [login(0, true, elsewhere)]],
  ])("is not reported as a takeover after 10 or 19: %s", async (_, before) => {
    for (const count of [10, 19]) {
      const open = await openWithPlaybook();
      const queued = await replay(open, [...before, ...wrong(count), login(500, true)]);
      expect(kindsIn(queued)).toEqual(["auth_bruteforce"]);
      expect(queued.events.map((event) => event["humanized_description"])).toEqual([
        `Account takeover attempt on ${owner} from one network`,
      ]);
      await expectNoAttacker(open, queued);
      // Later mistakes start from 0, because the success has cancelled the earlier ones.
      const later = wrong(9).map((one) => ({ ...one, at: one.at + 410 }));
      expect((await replay(open, later)).events).toEqual([]);
    }
  });

  it("does not make an attacker of her account after 20 on her first login", async () => {
    const open = await openWithPlaybook();
    const queued = await replay(open, [...wrong(20), login(500, true)]);
    expect(queued.events.map(({ event_kind, ips }) => [event_kind, ips.length])).toEqual([
      ["auth_bruteforce", 0],
      ["auth_bruteforce", 1],
      ["auth_bruteforce_success", 0],
    ]);
    expect(queued.responses.map(accountsOf)).toEqual([[]]);
    expect(await open.engine.lookupEmail(owner)).toMatchObject({ is_known_attacker: false });
  });
});

describe.each([
  ["", undefined],
  [", although every request is marked as another site's", true],
])("an attack is found%s:", (_, crossSite) => {
  const mark = crossSite && { crossSite };
  const named = (addresses: string[]): string[] => (crossSite ? [] : addresses);

  it("a brute force from one address, and its success", async () => {
    const open = await openWithPlaybook();
    const account = "owner@shop.example";
    const guess = (n: number, success = false) => {
      return { at: n, account, address: "8.8.8.8", success, ...mark };
    };
    const home = { at: 0, account, address: "9.9.9.9", success: true };
    const queued = await replay(open, [home, ...times(20, (n) => guess(n + 1)), guess(70, true)]);
    const count = named(["8.8.8.8"]).length;
    expect(queued.events.map(({ event_kind, ips }) => [event_kind, ips.length])).toEqual([
      ["auth_bruteforce", 0],
      ["auth_bruteforce", count],
      ["auth_bruteforce_success", count],
    ]);
    expect(addressesIn(queued)).toEqual(named(["8.8.8.8"]));
    expect(queued.responses.map(accountsOf)).toEqual(crossSite ? [] : [[], [{ email: account }]]);
  });

  it.each([
    ["10 guesses from one network", 10, () => "8.8.8.8", ["auth_bruteforce"]],
    [
      "11 guesses from as many networks",
      11,
      (n: number) => `8.8.${n}.8`,
      ["auth_bruteforce", "auth_bruteforce_success"],
    ],
  ])("%s and a success, reported for its account only", async (_, count, addressOf, kinds) => {
    const open = await openWithPlaybook();
    const guess = (n: number) => {
      const account = "owner@shop.example";
      return { at: n, account, address: addressOf(n), success: n === count, ...mark };
    };
    const queued = await replay(open, times(count + 1, guess));
    expect(kindsIn(queued)).toEqual(kinds);
    expect(addressesIn(queued)).toEqual([]);
    expect(queued.events.at(-1)).toMatchObject({
      application_account_account_keys: [{ value: "owner@shop.example" }],
    });
  });

  it("a brute force from many addresses, of which some go beyond their bound", async () => {
    const open = await openWithPlaybook();
    const guesses = times(100, (n) => ({
      at: n,
      account: "owner@shop.example",
      address: n % 2 ? "8.8.8.8" : `9.9.9.${n}`,
      success: false,
      ...mark,
    }));
    const queued = await replay(open, guesses);
    expect(new Set(kindsIn(queued))).toEqual(new Set(["auth_bruteforce"]));
    expect(kindsIn(queued)).toHaveLength(4);
    expect(addressesIn(queued)).toEqual(named(["8.8.8.8"]));
  });

  it("credential stuffing from one network, and the accounts that it guesses", async () => {
    const open = await openWithPlaybook();
    const tries = times(300, (n) => ({
      at: n,
      account: `user${n}@shop.example`,
      address: `2a00::${(n % 50) + 1}`,
      success: n % 50 === 49,
      known: n % 3 === 0,
      ...mark,
    }));
    // Accounts that open at the first try are those of anybody who knows the password.
    const guessed = times(4, (n) => ({
      at: 300 + n,
      account: "guessed@shop.example",
      address: "2a00::1",
      success: n === 3,
      ...mark,
    }));
    const kinds = kindsIn(await replay(open, [...tries, ...guessed]));
    expect(kinds).toContain("auth_scan_real_accounts");
    expect(kinds.filter((kind) => kind === "auth_scan_success")).toHaveLength(1);
    const { risk_score } = await open.engine.lookupIp("2a00::1");
    expect(risk_score >= 80).toBe(crossSite === undefined);
  });

  it("a scan of real accounts from a campus on which people log in", async () => {
    const open = await openWithPlaybook();
    const addressOf = () => "8.8.8.8";
    const people = crowd({ people: 100, logins: 50, seconds: 300, typos: 0, seed: 6, addressOf });
    const scan = times(60, (n) => ({
      at: 5 * n,
      account: `user${n}@shop.example`,
      address: "8.8.8.8",
      success: false,
      known: true,
      ...mark,
    }));
    const trace = [...people, ...scan].toSorted((a, b) => a.at - b.at);
    expect(kindsIn(await replay(open, trace))).toContain("auth_scan_real_accounts");
  });
});

it("counts a failure once that is reported again after the right password", async () => {
  const open = await openIntake({ rules: { logins: { bruteforceFailures: 2 } } });
  const at = formatTimestamp(START - 1);
  const login = { account: "ada@shop.example", address: "8.8.8.8", success: false, at };
  const right = { ...login, success: true, at: formatTimestamp(START) };
  const report = (...outcomes: object[]) => open.intake.outcomes(open.applicationId, outcomes);
  expect(await report(login, right)).toMatchObject({ accepted: 2, events: [] });
  expect(await report(login, right)).toMatchObject({ duplicates: 2, events: [] });
});
