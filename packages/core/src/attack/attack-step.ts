import type { Step, Verdict } from "../decision/step.js";
import { after } from "../model/awaitable.js";
import type { EvidencePair } from "../model/decision.js";
import type { AttackMode } from "./attack-option.js";

/** The step that counts logins and challenges strangers during an attack. */
export function attackStep(mode: Omit<AttackMode, "step">): Step {
  return {
    name: "attack",
    waits: !mode.isSync,
    challengedBy: mode.enforced ? "attackMode" : undefined,
    weigh(context) {
      const { request, evidence } = context;
      if (!request) return undefined;
      return after(mode.begin(request, evidence.device === "known"), (reading) => {
        if (reading) context.setAttack(reading);
      });
    },
    judge: ({ evidence }, soFar) =>
      evidence.attack?.enforced ? challengeStranger(evidence, soFar) : undefined,
    decided({ outcome, enforced, because }, { request }) {
      if (!request) return;
      if (because === "challenge_passed") mode.end(request, "passed");
      if (enforced && outcome === "reject") mode.end(request, "refused");
    },
  };
}

/**
 * Returns the verdict on a request during an attack; undefined to keep the one so far. Others cause
 * the attack, so nobody is rejected because of it. Requests that a rule allows pass.
 */
export function challengeStranger(
  { attack, device }: EvidencePair,
  soFar: Pick<Verdict, "outcome" | "rule"> | undefined,
): Verdict | undefined {
  if (!attack || device === "known" || !soFar) return undefined;
  const isSofter = soFar.outcome === "flag" || (soFar.outcome === "allow" && !soFar.rule);
  return isSofter ? { outcome: "challenge", because: "attack_mode" } : undefined;
}
