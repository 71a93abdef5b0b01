import { EVENT_KINDS, INCIDENT_GENRES } from "@riskgate/core";
import type { IncidentGenre } from "@riskgate/core/payloads";
import { DETECTION_DEFAULTS } from "../../src/detection/detection-settings.js";
import { composeEvent } from "../../src/detection/events/event.js";
import { readEvent } from "../../src/detection/events/read-event.js";
import { contributionOfEvent } from "../../src/detection/incidents/contribution.js";
import { beginIncident, endIncident } from "../../src/detection/incidents/incident.js";
import { publishIncident } from "../../src/detection/incidents/track-incidents.js";
import { entryOfEvent } from "../../src/intake/read-report.js";
import { ledgerRecordsOf } from "../../src/intake/risk-record.js";
import type { Application } from "../../src/model/application.js";
import type { IntakeEvent } from "../../src/model/event.js";
import type { StoredIncident } from "../../src/model/incident.js";
import type { Instant } from "../../src/model/instant.js";
import { openStorage } from "../../src/storage/open-storage.js";
import type { Storage } from "../../src/storage/storage.js";
import { addLastDeliveries, addManyDeliveries } from "./full-deliveries.js";

export const EVENTS = 4_000;
export const INCIDENTS = 200;
export const DECISIONS = 3_000;

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;
/** The attack is of the last genre. */
const GENRES = (Object.keys(INCIDENT_GENRES) as IncidentGenre[]).toSorted(
  (one, other) => Number(one === "account_takeover") - Number(other === "account_takeover"),
);
const CITIES = [
  ["Paris", "FRA"],
  ["Villeneuve-Saint-Georges", "FRA"],
  ["Sao Jose dos Campos", "BRA"],
  ["Kyiv", "UKR"],
] as const;
const AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const MAILBOXES = ["cleopatra.van-der-berg-oosterhuis", "ada", "bob.martin+newsletter"];

/** Events of the attack, and of one report. */
const ATTACK = 60;
const REPORT = 20;

/** What the pages of a full console are about. */
export interface FullStorage {
  readonly shop: Application;
  readonly incident: string;
  readonly delivery: string;
  readonly playbook: string;
}

/** Fills an empty data directory with all that a busy service has after a few days. */
export async function fillStorage(dataDir: string): Promise<FullStorage> {
  const clock = { now: Date.now() * 1_000 };
  const { now } = clock;
  const shop = await within(dataDir, clock, addApplications);
  await addManyDeliveries(dataDir, shop.id, now);
  return within(dataDir, clock, async (storage) => {
    const playbook = await addPlaybooks(storage, shop.id);
    const { events, seqs } = await addEvents(storage, shop, clock);
    const incidents = incidentsOf(shop, events, now);
    await storage.incidents.save(incidents);
    await addDecisions(storage, shop.id, now);
    await addResponses(storage, shop, now);
    const delivery = await addLastDeliveries(storage, shop.id, { seqs, clock });
    return { shop, incident: incidents.at(-1)!.id, delivery, playbook };
  });
}

async function within<T>(
  dataDir: string,
  clock: { readonly now: Instant },
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(dataDir, { clock: () => clock.now });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** Returns the application that everything is about. */
async function addApplications({ applications }: Storage): Promise<Application> {
  const shop = await applications.create({ name: "Shop of the northern region (production)" });
  for (const name of ["Marketing website", "Blog", "Partners"]) {
    await applications.create({ name, environment: "staging" });
  }
  return shop;
}

async function addPlaybooks(
  { playbooks, operatorRules }: Storage,
  applicationId: string,
): Promise<string> {
  const response = { durationMs: 3_600_000 };
  const made = [];
  for (const genre of GENRES) {
    const rule = { genres: [genre], count: 3 };
    made.push(await playbooks.create(applicationId, { name: `Stop ${genre}`, rule, response }));
  }
  for (const kind of EVENT_KINDS) {
    const rule = { kinds: [kind], count: 3, windowMs: 600_000, per: "address" };
    made.push(await playbooks.create(applicationId, { name: `Block ${kind}`, rule, response }));
  }
  await operatorRules.replace(
    Array.from({ length: 30 }, (_, index) => ({
      name: `Partner ${index}`,
      when: { domain: [`partner-${index}.example`, "mail.example"], country: ["FR", "DE"] },
      outcome: (["allow", "flag", "reject"] as const)[index % 3],
      note: "Agreed with the partner, and checked every quarter by the people who run the shop",
    })),
  );
  return made.at(-1)!.id;
}

/** Returns events of every kind, denser towards the end, which is an attack on one account. */
function eventsOf(application: Application, now: Instant): readonly IntakeEvent[] {
  const attackedFrom = EVENTS - ATTACK;
  return Array.from({ length: EVENTS }, (_, index) => {
    const isAttack = index >= attackedFrom;
    const age = isAttack
      ? (EVENTS - index) * 10 * SECOND
      : 10 * MINUTE + Math.round(2 * DAY * ((attackedFrom - index) / EVENTS) ** 2);
    const [city, code] = CITIES[index % CITIES.length] ?? CITIES[0];
    const name = MAILBOXES[isAttack ? 0 : index % MAILBOXES.length];
    const host = isAttack ? index % 6 : index;
    const address = host % 7 ? `185.220.101.${host % 251}` : `2a0b:f4c2:${host}::7`;
    const reported = {
      event_id: `event-${index}`,
      event_kind: isAttack ? "auth_bruteforce" : EVENT_KINDS[index % EVENT_KINDS.length],
      application_account_account_keys: [
        { name: "email", value: `${name}@customers.shop.example` },
      ],
      ips: [{ address, geo: { city, code, point: [2, 48] } }],
      user_agent: AGENT,
      // Some are reported long after they occurred.
      date_occurred: new Date(
        (now - age) / 1_000 - (isAttack || index % 10 ? 0 : 7_200_000),
      ).toISOString(),
    };
    return composeEvent(readEvent(reported, now), {
      application,
      dashboardUrl: "https://risk.example/console",
      providerRules: true,
      locate: () => ({ geo: {}, isTor: false }),
    });
  });
}

/** Stores them as they were received, with their entries in the ledger, and passes all readers on. */
async function addEvents(
  storage: Storage,
  application: Application,
  clock: { now: Instant },
): Promise<{ events: readonly IntakeEvent[]; seqs: readonly number[] }> {
  const { now } = clock;
  const events = eventsOf(application, now);
  const seqs: number[] = [];
  for (let from = 0; from < events.length; from += REPORT) {
    const some = events.slice(from, from + REPORT);
    clock.now = Math.max(...some.map(({ occurredAt }) => occurredAt));
    const entries = some.map((event) => entryOfEvent(event, null));
    const [stored = []] = await storage.log.append([{ applicationId: application.id, entries }]);
    const records = some.flatMap((event, index) => ledgerRecordsOf(event, stored[index]!));
    await storage.ledger.record(application.id, records);
    seqs.push(...(stored as number[]));
  }
  clock.now = now;
  await storage.log.skip(application.id, "detection");
  await storage.log.skip(application.id, "delivery");
  return { events, seqs };
}

/** Returns incidents of every genre, the last ones open; the last of all is the attack. */
function incidentsOf(
  application: Application,
  events: readonly IntakeEvent[],
  now: Instant,
): readonly StoredIncident[] {
  return Array.from({ length: INCIDENTS }, (_, index) => {
    const left = INCIDENTS - 1 - index;
    const isOpen = left < GENRES.length;
    const genre = GENRES.at(-1 - (left % GENRES.length))!;
    const own = left === 0 ? events.slice(-ATTACK) : events.slice(index * 15, index * 15 + 30);
    const at = left === 0 ? now : now - (isOpen ? 1 : left) * 10 * MINUTE;
    const [first, ...rest] = own.map((event, step) => ({
      ...contributionOfEvent(event),
      ...(left > 0 && { at: at - (own.length - step) * SECOND }),
    }));
    if (!first) throw new Error("an incident needs events");
    const subject = /takeover|user_risk/.test(genre) ? (own[0]?.mailbox ?? "") : "";
    const topic = { applicationId: application.id, genre, subject };
    const begun = beginIncident(topic, [first, ...rest], at);
    const context = {
      application,
      now: at,
      settings: DETECTION_DEFAULTS,
      dashboardUrl: "https://risk.example/console",
    };
    const incident = isOpen ? begun : endIncident(begun, at);
    const published = publishIncident(incident, own, context).incident;
    return { ...published, state: { ...published.state } };
  });
}

async function addDecisions(
  { decisions }: Storage,
  applicationId: string,
  now: Instant,
): Promise<void> {
  const records = Array.from({ length: DECISIONS }, (_, index) => {
    const score = (index * 7) % 101;
    const decidedAt = now - (DECISIONS - index) * SECOND;
    const record = {
      v: 1,
      id: `decision-${index}`,
      at: new Date(decidedAt / 1_000).toISOString(),
      route: index % 3 ? "POST /signup" : "POST /api/v2/accounts/login",
      outcome: score > 80 ? "reject" : score > 40 ? "flag" : "allow",
      enforced: true,
      because: "score",
      score,
      ip: { state: "scored", score, source: "live", flags: ["is_vpn", "is_hosting"] },
      email: { state: "skipped", why: "absent" },
      policy: { flagAbove: 40, rejectAbove: 80 },
    };
    return { id: record.id, decidedAt, record };
  });
  await decisions.insertNew(applicationId, records);
}

async function addResponses(
  { playbooks }: Storage,
  { id, name, environment }: Application,
  now: Instant,
): Promise<void> {
  for (let index = 0; index < 60; index++) {
    const createdAt = now - (60 - index) * MINUTE;
    const ip_cidr = `203.0.${index % 113}.${index}/32`;
    const responseId = index.toString(16).padStart(32, "0");
    await playbooks.recordResponse({
      id: responseId,
      applicationId: id,
      playbookId: "operator",
      subject: ip_cidr,
      createdAt,
      endsAt: createdAt + 120 * MINUTE,
      payload: {
        id: responseId,
        service_payload_type: "security_response",
        application: { id, name, environment },
        properties: { ips: [{ ip_cidr }], user_identifiers: [], duration_seconds: 7_200 },
        playbook: { id: "operator", name: "Credential stuffing, seen by the night shift" },
      },
    });
  }
}
