import { EVENT_KINDS, INCIDENT_GENRES, parseDelivery } from "@riskgate/core";
import { formatTimestamp } from "@riskgate/core/payloads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MINUTE, type OpenIntake, openIntake, SECOND, START } from "../../support/open-intake.js";

type Members = Readonly<Record<string, unknown>>;

const ada = [{ name: "email", value: "ada@shop.example" }];
const about = { application_account_account_keys: ada, ips: ["8.8.8.8"] };
const repeat = (count: number, event: Members): Members[] =>
  Array.from({ length: count }, () => event);

/** Kind, events that begin an incident by default, its genre and its title. */
const rows = [
  ["package_vulnerable", 1, "vulnerable_packages", "Vulnerabilities detected in dependencies"],
  ["evaluation", 1, "injection_eval", "Code evaluation injection detected"],
  ["lfi", 1, "injection_lfi", "File inclusion attack detected"],
  ["nosql_injection", 1, "injection_nosql", "NoSQL injection detected"],
  ["sql_injection", 1, "injection_sql", "SQL injection detected"],
  ["shell_injection", 1, "injection_shell", "Shell injection detected"],
  ["shellshock", 1, "injection_shellshock", "Shellshock attack detected"],
  ["xss", 1, "injection_xss", "XSS injection detected"],
  ["scan", 20, "http_scan", "Massive security scan not blocked"],
  ["bot_scanning", 20, "http_scan", "Massive security scan not blocked"],
  ["not_found", 20, "http_scan", "Massive security scan not blocked"],
  [
    "auth_scan",
    1,
    "account_enumeration",
    "Increase in login brute force attempts, no verified users targeted",
  ],
  [
    "auth_scan_real_accounts",
    1,
    "account_enumeration_real_accounts",
    "Increase in login brute force attempts targeting users",
  ],
  [
    "auth_scan_success",
    1,
    "account_enumeration_success",
    "A login brute force attack compromised user accounts",
  ],
  [
    "auth_bruteforce",
    1,
    "account_takeover",
    "Massive account takeover attempts on user account ada@shop.example",
  ],
  [
    "auth_bruteforce_success",
    1,
    "account_takeover_success",
    "Successful account takeover attempt on user account ada@shop.example",
  ],
] as const;

const counters = [
  ["http4xx", "http_4xx_peak", 99, 100],
  ["http5xx", "http_5xx_peak", 19, 20],
  ["failedLogins", "failed_auth_peak", 49, 50],
] as const;

/** Incidents that follow from some events. */
async function incidentsOf(open: OpenIntake, events: readonly Members[]) {
  await open.intake.report(open.applicationId, events);
  return (await open.payloads()).incidents;
}

/** Report one sample; incidents that follow from it. */
async function count(open: OpenIntake, counter: string, number: number) {
  await open.intake.counters(open.applicationId, { [counter]: number });
  return (await open.payloads()).incidents;
}

/** Let quiet minutes pass until there is a baseline. */
async function warmUp(open: OpenIntake, counter: string, usual: number): Promise<void> {
  for (let minute = 0; minute < 15; minute++) {
    expect(await count(open, counter, usual)).toEqual([]);
    open.clock.now += MINUTE;
  }
}

describe("incidents", () => {
  it.each(rows)("%s begins one after %d events: %s", async (kind, least, genre, title) => {
    const event = { event_kind: kind, ...about };
    const open = await openIntake();
    expect(await incidentsOf(open, repeat(least - 1, event))).toEqual([]);
    const incidents = await incidentsOf(open, [event]);
    expect(incidents).toMatchObject([
      {
        pulse_genre: genre,
        humanized_title: title,
        incidents_count: least,
        ip_addresses_count: 1,
        accounts_count: 1,
        blocked: false,
      },
    ]);
  });

  it.each(counters)("a peak of %s begins %s above %d", async (counter, genre, below, above) => {
    const open = await openIntake();
    await warmUp(open, counter, 0);
    expect(await count(open, counter, below)).toEqual([]);
    expect(await count(open, counter, above - below)).toMatchObject([
      { pulse_genre: genre, incidents_count: above, humanized_title: INCIDENT_GENRES[genre] },
    ]);
  });

  it("takes samples of counters as a batch, each on its own", async () => {
    const open = await openIntake();
    await warmUp(open, "http4xx", 0);
    const samples = [{ http4xx: 60 }, { http4xx: -1 }, { http4xx: 40, http5xx: 1 }];
    const report = await open.intake.counters(open.applicationId, samples);
    expect(report.elements.map(({ state }) => state)).toEqual(["accepted", "refused", "accepted"]);
    expect((await open.payloads()).incidents).toMatchObject([
      { pulse_genre: "http_4xx_peak", incidents_count: 100 },
    ]);
  });

  it.each(counters)("%s at its usual height begins no %s", async (counter, _genre, _, usual) => {
    const open = await openIntake();
    await warmUp(open, counter, usual);
    expect(await count(open, counter, 4 * usual)).toEqual([]);
    expect(await count(open, counter, 1)).toHaveLength(1);
  });

  it("failed logins that were reported raw begin failed_auth_peak, with who was involved", async () => {
    const open = await openIntake({ rules: { logins: { scanAccounts: 1000 } } });
    const login = (n: number, success: boolean) => ({
      account: `user${n}@shop.example`,
      address: `8.8.8.${n}`,
      success,
      userAgent: "curl",
    });
    for (let minute = 0; minute < 15; minute++) {
      await open.intake.outcomes(open.applicationId, [login(0, true)]);
      open.clock.now += MINUTE;
    }
    const failures = Array.from({ length: 50 }, (_, n) => login(n, false));
    await open.intake.outcomes(open.applicationId, failures.slice(1));
    expect((await open.payloads()).incidents).toEqual([]);
    await open.intake.outcomes(open.applicationId, [...failures.slice(0, 1), login(0, true)]);
    expect((await open.payloads()).incidents).toMatchObject([
      { pulse_genre: "failed_auth_peak", incidents_count: 50, user_agents_count: 1 },
    ]);
  });

  it("user_risk_increased begins when the score of an account crosses the threshold", async () => {
    const scores = new Map([["ada@shop.example", 75]]);
    const peekEmail = (email: string) => ({ assessment: { risk_score: scores.get(email) ?? 0 } });
    const add = (): void => void scores.set("ada@shop.example", next);
    let next = 75;
    const peek = { peekIp: () => undefined, peekEmail };
    const open = await openIntake({ rules: {}, peek, scratch: { add } });
    const event = { event_kind: "auth_new_location", ...about };
    expect(await incidentsOf(open, [event])).toEqual([]);
    next = 75.5;
    expect(await incidentsOf(open, [event])).toMatchObject([
      {
        pulse_genre: "user_risk_increased",
        humanized_title: "The risk score of ada@shop.example exceeded 75%",
        accounts_count: 1,
      },
    ]);
    open.clock.now += 40 * MINUTE;
    await open.intake.sweep();
    await open.payloads();
    // It is above, as before, and has not crossed anything since.
    expect(await incidentsOf(open, [event])).toEqual([]);
  });

  it("user_risk_increased arises from the real engine", async () => {
    const open = await openIntake({ rules: {} });
    const genres = [];
    for (let n = 0; n < 20; n++) {
      const incidents = await incidentsOf(open, [{ event_kind: "xss", ...about }]);
      genres.push(...incidents.map(({ pulse_genre }) => pulse_genre));
    }
    expect(genres).toEqual(["injection_xss", "user_risk_increased"]);
    expect((await open.engine.lookupEmail("ada@shop.example")).risk_score).toBe(80);
  });

  it("user_risk_increased is about emails, which alone have a score", async () => {
    const open = await openIntake({ rules: {} });
    const login = { name: "login", value: "ada" };
    const event = { event_kind: "xss", application_account_account_keys: [login] };
    expect(await incidentsOf(open, [event])).toMatchObject([{ pulse_genre: "injection_xss" }]);
    const both = { ...event, application_account_account_keys: [login, ...ada] };
    expect(await incidentsOf(open, [both])).toMatchObject([
      { pulse_genre: "user_risk_increased", humanized_accounts: "ada@shop.example" },
    ]);
  });

  it("arise for all 18 genres", () => {
    const genres = [
      ...rows.map(([, , genre]) => genre),
      ...counters.map(([, genre]) => genre),
      "user_risk_increased",
    ];
    expect([...new Set(genres)].sort()).toEqual(Object.keys(INCIDENT_GENRES).sort());
  });

  it("do not arise from kinds that no genre is about", async () => {
    const kinds = EVENT_KINDS.filter((kind) => !rows.some((row) => row[0] === kind));
    expect(kinds).toEqual(["auth_new_location", "auth_tor_tentative", "auth_multi_locations"]);
    const open = await openIntake();
    const events = kinds.map((event_kind) => ({ event_kind, ...about }));
    expect(await incidentsOf(open, events)).toEqual([]);
  });

  it("are what a receiver takes for incidents", async () => {
    const incidents = await incidentsOf(await openIntake(), [{ event_kind: "xss", ...about }]);
    const { elements, ignored } = parseDelivery(Buffer.from(JSON.stringify(incidents)));
    expect(ignored).toEqual([]);
    const [incident] = incidents;
    expect(incident).toMatchObject({ date_ended: null });
    const { date_ended: _, ...members } = { ...incident };
    expect(elements).toMatchObject([{ payload: members, dropped: [] }]);
  });
});

describe("a running incident", () => {
  it("is delivered again with the same id and new counts, once a minute at most", async () => {
    const open = await openIntake();
    const event = (n: number) => ({ event_kind: "xss", ips: [`8.8.8.${n}`], user_agent: `ua${n}` });
    const [first] = await incidentsOf(open, [event(1)]);
    open.clock.now += 59 * SECOND;
    expect(await incidentsOf(open, [event(2)])).toEqual([]);
    open.clock.now += SECOND;
    const [second] = await incidentsOf(open, [event(3)]);
    expect(second).toEqual({
      ...first,
      incidents_count: 3,
      ip_addresses_count: 3,
      user_agents_count: 3,
    });
  });

  it("is delivered by the sweep when nothing follows", async () => {
    const open = await openIntake();
    await incidentsOf(open, [{ event_kind: "xss" }]);
    open.clock.now += SECOND;
    await incidentsOf(open, [{ event_kind: "xss" }]);
    await open.intake.sweep();
    expect((await open.payloads()).incidents).toEqual([]);
    open.clock.now += MINUTE;
    await open.intake.sweep();
    await open.intake.sweep();
    expect((await open.payloads()).incidents).toMatchObject([{ incidents_count: 2 }]);
    expect(open.queued.at(-1)).toBe(open.applicationId);
  });

  it("ends when it was quiet, at the last that belonged to it", async () => {
    const open = await openIntake();
    const [begun] = await incidentsOf(open, [{ event_kind: "xss" }]);
    // Present all the same: there are receivers that refuse an incident without it.
    expect(begun).toMatchObject({ date_ended: null });
    open.clock.now += 29 * MINUTE;
    await open.intake.sweep();
    const [updated] = await incidentsOf(open, [{ event_kind: "xss" }]);
    expect(updated?.id).toBe(begun?.id);
    const lastAt = open.clock.now;
    open.clock.now += 30 * MINUTE + 1;
    await open.intake.sweep();
    const { incidents } = await open.payloads();
    expect(incidents).toEqual([{ ...updated, date_ended: formatTimestamp(lastAt) }]);
    const [next] = await incidentsOf(open, [{ event_kind: "xss" }]);
    expect(next?.id).not.toBe(begun?.id);
  });

  it("goes on after a restart", async () => {
    const open = await openIntake();
    const [begun] = await incidentsOf(open, [{ event_kind: "xss", ips: ["8.8.8.8"] }]);
    open.clock.now += MINUTE;
    const intake = open.restart();
    const [updated] = await incidentsOf({ ...open, intake }, [
      { event_kind: "xss", ips: ["8.8.8.8", "1.1.1.1"] },
    ]);
    expect(updated).toMatchObject({ id: begun?.id, incidents_count: 2, ip_addresses_count: 2 });
  });

  it("has ended when nothing ran for longer than it may be quiet", async () => {
    const open = await openIntake();
    const [begun] = await incidentsOf(open, [{ event_kind: "xss" }]);
    await open.intake.close();
    open.clock.now += 60 * MINUTE;
    const restarted = { ...open, intake: open.restart() };
    const [ended, next] = await incidentsOf(restarted, [{ event_kind: "xss" }]);
    expect(ended).toEqual({ ...begun, date_ended: begun?.date_started });
    expect(next?.id).not.toBe(begun?.id);
  });

  it("is one by account where it is about an account", async () => {
    const open = await openIntake();
    const attempt = (value: string) => ({
      event_kind: "auth_bruteforce",
      application_account_account_keys: [{ name: "email", value }],
    });
    const names = ["ada@shop.example", "eve@shop.example", "ada@SHOP.EXAMPLE"];
    const incidents = await incidentsOf(open, names.map(attempt));
    expect(incidents.map((one) => [one.humanized_accounts, one.incidents_count])).toEqual([
      ["ada@shop.example", 2],
      ["eve@shop.example", 1],
    ]);
  });

  it("is blocked when all of it was", async () => {
    const open = await openIntake();
    const scan = { event_kind: "scan", blocked: true };
    expect(await incidentsOf(open, repeat(20, scan))).toMatchObject([
      { blocked: true, humanized_title: "Massive security scan blocked" },
    ]);
    open.clock.now += MINUTE;
    expect(await incidentsOf(open, [{ ...scan, blocked: false }])).toMatchObject([
      { blocked: false, humanized_title: "Massive security scan not blocked" },
    ]);
  });

  it("names three accounts and places, and how many others there are", async () => {
    const open = await openIntake();
    const events = ["a", "b", "c", "d", "e"].map((value) => ({
      event_kind: "xss",
      application_account_account_keys: [{ name: "login", value }],
      ips: [{ address: "8.8.8.8", geo: { city: value.toUpperCase(), code: "FRA" } }],
    }));
    expect(await incidentsOf(open, events)).toMatchObject([
      {
        humanized_accounts: "a, b, c and 2 others",
        humanized_geos: "A, FRA; B, FRA; C, FRA",
        accounts_count: 5,
      },
    ]);
  });
});

describe("the window of an incident", () => {
  it("forgets events that are too old to count together", async () => {
    const open = await openIntake();
    expect(await incidentsOf(open, repeat(19, { event_kind: "scan" }))).toEqual([]);
    open.clock.now += 10 * MINUTE;
    expect(await incidentsOf(open, [{ event_kind: "scan" }])).toEqual([]);
  });

  it("goes on over a restart", async () => {
    const open = await openIntake();
    await incidentsOf(open, repeat(19, { event_kind: "scan", ips: ["8.8.8.8"] }));
    const restarted = { ...open, intake: open.restart() };
    expect(await incidentsOf(restarted, [{ event_kind: "scan" }])).toMatchObject([
      { incidents_count: 20, ip_addresses_count: 1 },
    ]);
  });

  it("leaves history alone", async () => {
    const open = await openIntake();
    const date_occurred = formatTimestamp(START - 30 * MINUTE);
    expect(await incidentsOf(open, [{ event_kind: "xss", date_occurred }])).toEqual([]);
  });

  it("never loses a count, whatever the batches are", async () => {
    const kinds = ["scan", "bot_scanning", "not_found", "xss", "auth_bruteforce"] as const;
    const event = fc.record({
      event_kind: fc.constantFrom(...kinds),
      ips: fc.array(fc.constantFrom("8.8.8.8", "1.1.1.1", "2a00::1"), { maxLength: 2 }),
      application_account_account_keys: fc.constantFrom([], ada),
    });
    const open = await openIntake({ rules: { incidents: { scanEvents: 3 } } });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(event, { maxLength: 5 }), { maxLength: 5 }),
        async (batches) => {
          const { id: applicationId } = await open.storage.applications.create({ name: "One" });
          for (const batch of batches) await open.intake.report(applicationId, batch);
          const all = batches.flat();
          const stored = await open.storage.incidents.list({ applicationId });
          const events = (genre: string): number =>
            stored
              .filter((one) => one.genre === genre)
              .reduce((sum, { state }) => sum + Number(state["events"]), 0);
          const scans = all.filter(({ event_kind }) => kinds.slice(0, 3).includes(event_kind));
          expect(events("http_scan")).toBe(scans.length < 3 ? 0 : scans.length);
          const others = (kind: string): number =>
            all.filter(({ event_kind }) => event_kind === kind).length;
          expect(events("injection_xss")).toBe(others("xss"));
          expect(events("account_takeover")).toBe(others("auth_bruteforce"));
        },
      ),
      { numRuns: 100 },
    );
  });
});
