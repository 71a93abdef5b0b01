import { readOptions } from "@riskgate/core/adapter";
import type { Incident, SecurityEvent, SecurityResponse } from "@riskgate/core";
import type { Engine } from "@riskgate/engine";
import { onTestFinished } from "vitest";
import { createIntake, type Intake, type IntakeOptions } from "../../src/intake/intake.js";
import { openLookups } from "../../src/lookups/open-lookups.js";
import { isWanted } from "../../src/detection/events/wanted-payload.js";
import { WHOLE } from "../../src/ownership/ownership.js";
import type { RiskPeek, ScratchLedger } from "../../src/model/scratch.js";
import type { ApplicationSettings } from "../../src/model/application.js";
import type { Storage } from "../../src/storage/storage.js";
import { readDetectionSettings, type RuleOptions } from "../../src/detection/detection-settings.js";
import { type StoragePlace, storagePlace } from "./temporary-storage.js";

/** First moment of 2026, in microseconds. */
export const START = 1_767_225_600_000_000;

export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;

/** An intake over a real storage and a real engine, with what goes with them. */
export interface OpenIntake {
  readonly intake: Intake;
  readonly storage: Storage;
  readonly engine: Pick<Engine, "lookupIp" | "lookupEmail" | "peekIp" | "peekEmail">;
  readonly applicationId: string;
  /** Set it to let time pass. */
  readonly clock: { now: number };
  /** What went wrong where nobody waited. */
  readonly errors: unknown[];
  /** Applications that the dispatcher was told of. */
  readonly queued: string[];
  /** Payloads for the endpoint since the last call. */
  payloads(this: void): Promise<Queued>;
  /** The same storage under a new intake, as after a restart of the process. */
  restart(changes?: IntakeChanges): Intake;
  /** The same directory under a new process: nothing of the memory is left. */
  reopen(changes?: IntakeChanges): Promise<OpenIntake>;
}

interface Queued {
  readonly events: readonly SecurityEvent[];
  readonly incidents: readonly Incident[];
  readonly responses: readonly SecurityResponse[];
}

/** Options of the intake, with rules as a user gives them. */
type IntakeChanges = Partial<Omit<IntakeOptions, "rules" | "peek" | "scratchOf">> & {
  /** In place of the engine. */
  readonly peek?: RiskPeek;
  /** The ledger that goes with `peek`; default one that ignores everything. */
  readonly scratch?: ScratchLedger;
  readonly rules?: RuleOptions;
  readonly providerRules?: boolean;
};

/** Waits for what follows from each report, as a caller with `Prefer: wait` does. */
function waiting(intake: Intake): Intake {
  const how = { waitMs: 20_000 };
  return {
    ...intake,
    report: (id, values, own = how) => intake.report(id, values, own),
    outcomes: (id, values, own = how) => intake.outcomes(id, values, own),
    counters: (id, values, own = how) => intake.counters(id, values, own),
  };
}

const rulesOf = (rules: RuleOptions, providerRules = true) =>
  readOptions("createService", { rules, providerRules }, readDetectionSettings);

/** Open an intake whose application has an endpoint and wants everything. */
export async function openIntake(
  options: IntakeChanges = {},
  settings: Partial<ApplicationSettings> = {},
): Promise<OpenIntake> {
  return openPlace({ place: await storagePlace(), clock: { now: START } }, options, settings);
}

interface TimeAndPlace {
  readonly place: StoragePlace;
  readonly clock: { now: number };
}

async function openPlace(
  { place, clock }: TimeAndPlace,
  options: IntakeChanges,
  settings: Partial<ApplicationSettings>,
): Promise<OpenIntake> {
  const storage = await place.open({ clock: () => clock.now });
  const errors: unknown[] = [];
  const dashboardUrl = "https://dashboard.example";
  const lookups = await openLookups({
    options: {},
    feedUpdates: undefined,
    ledger: { now: () => clock.now / 1000 },
    storage,
    onError: (error) => errors.push(error),
  });
  const engine = { ...lookups.engine, ...lookups.of() };
  const queued: string[] = [];
  const intakes: Intake[] = [];
  const open = (changes: IntakeChanges = {}): Intake => {
    const peek = changes.peek ?? options.peek;
    const scratch = changes.scratch ?? options.scratch ?? { add() {} };
    const scratchOf: IntakeOptions["scratchOf"] = (id) =>
      peek ? async () => ({ ledger: scratch, peek }) : lookups.scratchOf(id);
    const intake = waiting(
      createIntake({
        storage,
        ownership: WHOLE,
        peek: lookups.engine,
        scratchOf,
        onRecorded: (subjects) => lookups.reads.forget(subjects),
        dashboardUrl: () => dashboardUrl,
        clock: () => clock.now,
        nowMs: () => clock.now / 1000,
        sweepEveryMs: 0,
        onQueued: (id) => queued.push(id),
        onError: (error) => errors.push(error),
        ...options,
        ...changes,
        // Accounts that attack would add an incident about their score to every test about another.
        rules: rulesOf(
          changes.rules ?? options.rules ?? { incidents: { accountScoreAbove: 100 } },
          options.providerRules,
        ),
      }),
    );
    intakes.push(intake);
    return intake;
  };
  const close = async (): Promise<void> => {
    for (const intake of intakes) await intake.close();
    await lookups.close();
    await storage.close();
  };
  onTestFinished(close);
  const webhookUrl = "https://hooks.example/security";
  const [
    application = await storage.applications.create({ name: "Shop", webhookUrl, ...settings }),
  ] = await storage.applications.list();
  return {
    intake: open(),
    storage,
    engine,
    applicationId: application.id,
    clock,
    errors,
    queued,
    restart: open,
    async reopen(changes = {}) {
      await close();
      return openPlace({ place, clock }, { ...options, ...changes }, settings);
    },
    async payloads() {
      const from = await storage.log.position(application.id, "delivery");
      const receiver = await storage.applications.get(application.id);
      const { entries: all } = await storage.outbox.take(application.id, 10_000);
      const entries = all.filter((one) => receiver && isWanted(receiver, one));
      const last = all.at(-1);
      if (last) await storage.outbox.pass(application.id, from, last.seq);
      const of = <T>(type: string): T[] =>
        entries.filter((one) => one.type === type).map((one) => JSON.parse(one.payload) as T);
      return {
        events: of<SecurityEvent>("security_event"),
        incidents: of<Incident>("pulse"),
        responses: of<SecurityResponse>("security_response"),
      };
    },
  };
}
