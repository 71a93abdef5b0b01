import type { EmailAssessment, IpAssessment } from "@riskgate/core";
import { type LoadedFeed, withAge } from "../feeds/feed-age.js";
import type { FeedInfo } from "../feeds/feed-options.js";
import type { AutonomousSystem } from "../geo/autonomous-system.js";
import type { History } from "../ledger/ledger.js";
import { type Finding, pointsOf, type SignalName } from "./score.js";

/** One reason for a score. */
export interface Signal {
  readonly name: SignalName;
  /** Points of this signal alone, 0 to 100. */
  readonly weight: number;
  /** Points that it adds to the score; 0 if a stronger signal of its kind counts instead. */
  readonly adds: number;
  /** Source: names of feeds, the ledger, or a rule of the engine. */
  readonly source: string;
  readonly detail?: string;
  /** When the source's lists were loaded, in Unix milliseconds. */
  readonly loadedAtMs?: number;
  /** Time of the ledger's last event, in Unix milliseconds. */
  readonly lastEventAtMs?: number;
}

/** An assessment with the reasons for its score, which is the sum of all signals' `adds`. */
export interface Explanation<T extends EmailAssessment | IpAssessment> {
  /** 0 to 100. */
  readonly score: number;
  readonly signals: readonly Signal[];
  readonly assessment: T;
  /** Every feed that was checked, in the order of the option. */
  readonly feeds: readonly AskedFeed[];
  /** History from the ledger; without a ledger it has no events. */
  readonly history: History;
}

/** An IP address's explanation, with data from the geo databases. */
export interface IpExplanation extends Explanation<IpAssessment> {
  /** ISO 3166 alpha-3 code; absent if the country is unknown. */
  readonly country?: string;
  /** Autonomous system that announces the address; absent if unknown. */
  readonly asn?: AutonomousSystem;
}

export interface AskedFeed extends FeedInfo {
  /** Whether it flags the identifier; false if an `allow` entry prevents that. */
  readonly listed: boolean;
}

export type Origin = Pick<Signal, "source" | "detail" | "loadedAtMs" | "lastEventAtMs">;

interface Grounds {
  readonly findings: readonly Finding[];
  readonly originOf: (name: SignalName) => Origin;
  readonly feeds: readonly LoadedFeed[];
  readonly isListed: (feed: LoadedFeed, index: number) => boolean;
  readonly history: History;
}

export function explain<T extends EmailAssessment | IpAssessment>(
  assessment: T,
  { findings, originOf, feeds, isListed, history }: Grounds,
): Explanation<T> {
  const points = pointsOf(findings);
  const signals = findings.map(({ name, weight }, index) => ({
    name,
    weight,
    adds: points[index]!,
    ...originOf(name),
  }));
  return {
    score: assessment.risk_score,
    signals,
    assessment,
    feeds: feeds.map((feed, index) => ({ ...withAge(feed), listed: isListed(feed, index) })),
    history,
  };
}
