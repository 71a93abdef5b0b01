import { readOptions } from "@riskgate/core/adapter";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Incident, SecurityEvent, SecurityResponse } from "@riskgate/core";
import { createEngine, createMemoryLedger, type Engine } from "@riskgate/engine";
import { onTestFinished } from "vitest";
import { loadLedger } from "../../src/intake/load-ledger.js";
import { readOwedEvents } from "../../src/intake/owed-events.js";
import { createIntake, type Intake, type IntakeOptions } from "../../src/intake/intake.js";
import type { ApplicationSettings } from "../../src/storage/applications.js";
import { openStorage } from "../../src/storage/open-storage.js";
import type { Storage } from "../../src/storage/storage.js";
import { readRuleSettings, type RuleOptions } from "../../src/intake/rule-options.js";

/** First moment of 2026, in microseconds. */
export const START = 1_767_225_600_000_000;

export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;

/** An intake over a real storage and a real engine, with what goes with them. */
export interface OpenIntake {
  readonly intake: Intake;
  readonly storage: Storage;
  readonly engine: Engine;
  readonly applicationId: string;
  /** Set it to let time pass. */
  readonly clock: { now: number };
  /** What went wrong where nobody waited. */
  readonly errors: unknown[];
  /** Applications that the dispatcher was told of. */
  readonly queued: string[];
  /** Payloads that were queued since the last call. */
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
type IntakeChanges = Partial<Omit<IntakeOptions, "rules">> & {
  readonly rules?: RuleOptions;
  readonly providerRules?: boolean;
};

const rulesOf = (rules: RuleOptions, providerRules = true) =>
  readOptions("createService", { rules, providerRules }, readRuleSettings);

/** Open an intake whose application has an endpoint and wants everything. */
export async function openIntake(
  options: IntakeChanges = {},
  settings: Partial<ApplicationSettings> = {},
): Promise<OpenIntake> {
  const directory = await mkdtemp(join(tmpdir(), "riskgate-intake-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return openDirectory({ directory, clock: { now: START } }, options, settings);
}

interface Place {
  readonly directory: string;
  readonly clock: { now: number };
}

async function openDirectory(
  { directory, clock }: Place,
  options: IntakeChanges,
  settings: Partial<ApplicationSettings>,
): Promise<OpenIntake> {
  const storage = await openStorage(directory, { clock: () => clock.now });
  const ledger = createMemoryLedger({ now: () => clock.now / 1000 });
  const dashboardUrl = "https://dashboard.example";
  const owed = await readOwedEvents(
    storage,
    { dashboardUrl, providerRules: options.providerRules ?? true },
    () => clock.now,
  );
  await loadLedger(storage.ledger, ledger, 0, owed);
  const engine = await createEngine({ ledger });
  const errors: unknown[] = [];
  const queued: string[] = [];
  const intakes: Intake[] = [];
  const open = (changes: IntakeChanges = {}): Intake => {
    const intake = createIntake({
      storage,
      ledger,
      peek: engine,
      dashboardUrl,
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
    });
    intakes.push(intake);
    return intake;
  };
  const close = async (): Promise<void> => {
    for (const intake of intakes) await intake.close();
    await engine.close();
    await storage.close();
  };
  onTestFinished(close);
  const webhookUrl = "https://hooks.example/security";
  const [
    application = await storage.applications.create({ name: "Shop", webhookUrl, ...settings }),
  ] = await storage.applications.list();
  return {
    intake: open({ owed }),
    storage,
    engine,
    applicationId: application.id,
    clock,
    errors,
    queued,
    restart: open,
    async reopen(changes = {}) {
      await close();
      return openDirectory({ directory, clock }, { ...options, ...changes }, settings);
    },
    async payloads() {
      const entries = await storage.outbox.take(application.id, 10_000);
      await storage.outbox.remove(entries.map(({ seq }) => seq));
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
