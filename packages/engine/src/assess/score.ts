import type { Weights } from "./weights.js";

/**
 * Name of a signal. `private` and `no_address_data` have no points: the first replaces all others,
 * and the second appears only alone.
 */
export type SignalName = keyof Weights | "private" | "no_address_data";

export interface Finding {
  readonly name: SignalName;
  readonly weight: number;
}

/** Signals in one group are redundant: only the strongest counts. */
const GROUPS: Record<SignalName, "history" | "anonymity" | "hosting" | "mailbox" | "form"> = {
  attacker: "history",
  history: "history",
  tor: "anonymity",
  proxy: "anonymity",
  vpn: "anonymity",
  datacenter: "hosting",
  disposable: "mailbox",
  malformed: "form",
  unusual: "form",
  no_mail: "form",
  harmful: "form",
  private: "hosting",
  no_address_data: "hosting",
};

/**
 * Returns the points that each finding adds to the score: the strongest in each group its weight,
 * the others 0, at most 100 in total.
 */
export function pointsOf(findings: readonly Finding[]): number[] {
  let left = 100;
  return findings.map((finding, index) => {
    if (!isStrongest(finding, index, findings)) return 0;
    const points = Math.min(finding.weight, left);
    left -= points;
    return points;
  });
}

/** Returns the risk score, 0 to 100: the total points of all findings. */
export function scoreOf(findings: readonly Finding[]): number {
  let score = 0;
  for (let index = 0; index < findings.length; index++) {
    const finding = findings[index]!;
    if (isStrongest(finding, index, findings)) score += finding.weight;
  }
  return Math.min(score, 100);
}

function isStrongest(finding: Finding, index: number, findings: readonly Finding[]): boolean {
  return findings.every((other, at) => {
    if (at === index || GROUPS[other.name] !== GROUPS[finding.name]) return true;
    return at < index ? other.weight < finding.weight : other.weight <= finding.weight;
  });
}
