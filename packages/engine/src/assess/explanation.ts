import type { EmailAssessment, IpAssessment } from "@riskgate/core";
import { type LoadedFeed, withAge } from "../feeds/feed-age.js";
import type { FeedInfo } from "../feeds/feed-options.js";
import type { AutonomousSystem } from "../geo/autonomous-system.js";
import type { History } from "../ledger/ledger.js";
import { type Finding, pointsOf, type SignalName } from "./score.js";

/** One reason for a score. */
export interface Signal {
  readonly name: SignalName;
  /** Points of this signal by itself, 0 to 100. */
  readonly weight: number;
  /** Points that it adds to the score; 0 where a stronger signal of its kind counts instead. */
  readonly adds: number;
  /** Source: names of feeds, the ledger, or a rule of the engine. */
  readonly source: string;
  readonly detail?: string;
  /** When the lists of the source were loaded, in Unix time in milliseconds. */
  readonly loadedAtMs?: number;
  /** When the ledger's last event happened, in Unix time in milliseconds. */
  readonly lastEventAtMs?: number;
}

/** An assessment with the reasons for its score; `adds` of all signals together is the score. */
export interface Explanation<T extends EmailAssessment | IpAssessment> {
  /** 0 to 100. */
  readonly score: number;
  readonly signals: readonly Signal[];
  readonly assessment: T;
  /** Every feed that was asked, in the order of the option. */
  readonly feeds: readonly AskedFeed[];
  /** Record of the ledger; without a ledger it has no events. */
  readonly history: History;
}

/** An address with the reasons for its score, and the data of the geo databases. */
export interface IpExplanation extends Explanation<IpAssessment> {
  /** ISO 3166 alpha-3 code; absent if the country is unknown. */
  readonly country?: string;
  /** System that announces the address; absent if unknown. */
  readonly asn?: AutonomousSystem;
}

/** A feed that an identifier was looked up in. */
export interface AskedFeed extends FeedInfo {
  /** Whether it marks the identifier; false where an entry of `allow` prevents that. */
  readonly listed: boolean;
}

/** Origin of a signal. */
export type Origin = Pick<Signal, "source" | "detail" | "loadedAtMs" | "lastEventAtMs">;

/** Sources of an explanation, in addition to the assessment. */
interface Grounds {
  readonly findings: readonly Finding[];
  readonly originOf: (name: SignalName) => Origin;
  readonly feeds: readonly LoadedFeed[];
  readonly isListed: (feed: LoadedFeed, index: number) => boolean;
  readonly history: History;
}

/** Puts findings and their origins together. */
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
