import { type EvidencePair, type Fact, OUTCOMES } from "../model/decision.js";
import { ABSENT, OVERRIDE } from "../model/fact.js";
import type { VelocityReading } from "../model/velocity-reading.js";
import type { EvidenceSource } from "./evidence-source.js";
import type { GateContext } from "./gate-context.js";
import { judge, type Step, type Verdict } from "./step.js";

interface EmailRun extends GateContext {
  ip: Fact;
  email: Fact;
  isChoosing: boolean;
  /** Readings of every email, all of which count towards the decision. */
  counted?: readonly VelocityReading[] | undefined;
  readonly signal: AbortSignal | undefined;
  startClock(): void;
  setEvidence(evidence: EvidencePair): void;
}

export interface SeveralEmails {
  /** The last one is unreadable if there are too many. */
  readonly emails: readonly Fact[];
  choose(
    run: EmailRun,
    source: EvidenceSource,
    before: readonly Step[],
    weigh: readonly Step[],
    judging: readonly Step[],
  ): Promise<void>;
}

const NOT_LOOKED_UP: EvidencePair = Object.freeze({ ip: OVERRIDE, email: OVERRIDE });

/** Chooses the email with the hardest outcome, and among equals the one with the highest score. */
export async function chooseEmail(
  emails: readonly Fact[],
  ...[run, source, before, weigh, judging]: Parameters<SeveralEmails["choose"]>
): Promise<void> {
  run.startClock();
  const { leftMs, scope, signal } = run;
  const found = await Promise.all(
    emails.map(async (email) => {
      const findings = { ip: OVERRIDE, email: source.ofEmail(email) };
      return { email, evidence: await source.lookUp(findings, scope, leftMs, signal) };
    }),
  );
  const { ip } = run;
  const velocity = weigh.find(({ name }) => name === "velocity");
  let worst = run.email;
  let highest = -Infinity;
  const counted: VelocityReading[] = [];
  // The address and the application's subjects are counted once, with the chosen email.
  run.ip = ABSENT;
  run.isChoosing = true;
  for (const { email, evidence } of found) {
    run.email = email;
    let early: Verdict | undefined;
    for (const step of before) early ??= step.before!(run);
    run.setEvidence(evidence);
    await velocity?.weigh!(run);
    if (run.evidence.velocity) counted.push(run.evidence.velocity);
    const outcome = early?.outcome ?? judge(judging, run)!.outcome;
    // An email on the allow list must not speak for the others, whatever its score.
    const isAllowed = early?.outcome === "allow";
    const rank = isAllowed ? -1 : OUTCOMES.indexOf(outcome) * 1000 + (run.score ?? 0);
    if (rank > highest) [worst, highest] = [email, rank];
    run.setEvidence(NOT_LOOKED_UP);
  }
  run.ip = ip;
  run.isChoosing = false;
  run.email = worst;
  run.counted = counted;
}
