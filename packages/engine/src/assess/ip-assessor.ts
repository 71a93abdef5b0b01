import { type IpAssessment, type IpGeo, RiskGateError } from "@riskgate/core";
import { isPublicAt } from "@riskgate/core/address";
import { explain, type IpExplanation, type Origin } from "./explanation.js";
import type { LoadedFeed } from "../feeds/feed-age.js";
import type { AutonomousSystem } from "../geo/autonomous-system.js";
import { type Geo, NOWHERE } from "../geo/geo.js";
import { type IpFeeds, KIND_BITS } from "../feeds/ip-feeds.js";
import { findHistory, originOfHistory } from "./history-signal.js";
import { type History, type LedgerReader, NO_HISTORY, readHistory } from "../ledger/ledger.js";
import { parseAddress, type ParsedIp } from "../identifier/parsed-ip.js";
import { type Finding, scoreOf, type SignalName } from "./score.js";
import type { Weights } from "./weights.js";

export interface IpAssessor {
  /** @throws {RiskGateError} INVALID_ARGUMENT, STORE_FAILED */
  assess(ip: string, ledger: LedgerReader | undefined): IpAssessment;
  /** @throws {RiskGateError} INVALID_ARGUMENT, STORE_FAILED */
  explain(ip: string, ledger: LedgerReader | undefined): IpExplanation;
  /** Returns the autonomous system that announces an address; undefined if unknown or invalid. */
  asnOf(ip: string): AutonomousSystem | undefined;
}

export interface IpKnowledge {
  readonly feeds: IpFeeds;
  readonly loaded: readonly LoadedFeed[];
  readonly geo: Geo;
  readonly weights: Weights;
  readonly loadedAtMs: number;
  /** Called when an address is assessed although no feed of addresses is loaded. */
  readonly onNoData: () => void;
}

const NO_DATA: Finding = { name: "no_address_data", weight: 0 };

const ORIGINS = {
  private: { source: "IANA", detail: "not globally reachable" },
  no_address_data: {
    source: "engine",
    detail: "no address data: no feed of addresses is loaded",
  },
} as const;

export function createIpAssessor(knowledge: IpKnowledge): IpAssessor {
  const { feeds, loaded, geo, weights, loadedAtMs, onNoData } = knowledge;
  const factsOf = (given: string, ledger: LedgerReader | undefined): Facts => {
    const parsed = parse(given);
    const { text: ip, host } = parsed;
    const isPrivate = !isPublicAt(parsed.version, parsed.words);
    const kinds = feeds.kindsOf(parsed);
    const places = isPrivate ? NOWHERE : geo;
    const location = places.locate(parsed);
    const system = places.systemOf(parsed);
    // Last, because a custom ledger's code may look up a different address meanwhile.
    const recorded = ledger ? readHistory(() => ledger.ipHistory(host)) : NO_HISTORY;
    const isListed = (kinds & KIND_BITS.attacker) !== 0;
    const history = isListed ? { ...recorded, is_known_attacker: true } : recorded;
    const findings = find(isPrivate, kinds, history, weights);
    if (findings.length === 0 && loaded.length === 0) findings.push(NO_DATA);
    if (findings[0] === NO_DATA) onNoData();
    const version = ip.includes(":") ? 6 : 4;
    return { ip, version, isPrivate, kinds, location, system, recorded, history, findings };
  };

  const originOf = ({ ip, kinds, history }: Facts, name: SignalName): Origin => {
    if (name === "private" || name === "no_address_data") return ORIGINS[name];
    if (name in KIND_BITS && (kinds & KIND_BITS[name as keyof typeof KIND_BITS]) !== 0) {
      const names = feeds.namesOf(parse(ip), name as keyof typeof KIND_BITS);
      return { source: names.join(", "), loadedAtMs };
    }
    return originOfHistory(history);
  };

  const asnOf = (ip: string): AutonomousSystem | undefined => {
    const parsed = parseAddress(ip);
    return parsed && isPublicAt(parsed.version, parsed.words) ? geo.systemOf(parsed) : undefined;
  };

  return {
    assess: (ip, ledger) => assessmentOf(factsOf(ip, ledger)),
    explain(ip, ledger) {
      const facts = factsOf(ip, ledger);
      const listings = feeds.listingsOf(parse(ip));
      const country = facts.location.country_code;
      const asn = facts.system;
      return {
        ...explain(assessmentOf(facts), {
          findings: facts.findings,
          originOf: (name) => originOf(facts, name),
          feeds: loaded,
          isListed: (_, index) => listings[index]!,
          history: facts.recorded,
        }),
        ...(country !== undefined && { country }),
        ...(asn !== undefined && { asn }),
      };
    },
    asnOf,
  };
}

function assessmentOf(facts: Facts): IpAssessment {
  const { ip, version, isPrivate, kinds, location, system, history, findings } = facts;
  const assessment = {
    ip,
    ip_version: version,
    risk_score: scoreOf(findings),
    is_known_attacker: history.is_known_attacker,
    security_events_count: history.security_events_count,
    high_risk_security_events_count: history.high_risk_security_events_count,
    ip_geo: location,
    is_datacenter: (kinds & KIND_BITS.datacenter) !== 0,
    is_vpn: (kinds & KIND_BITS.vpn) !== 0,
    is_proxy: (kinds & KIND_BITS.proxy) !== 0,
    is_private: isPrivate,
    is_tor: (kinds & KIND_BITS.tor) !== 0,
  };
  const isUnknown = findings[0] === NO_DATA;
  if (system === undefined && !isUnknown) return assessment;
  return {
    ...assessment,
    ...(system !== undefined && { asn: system.number }),
    ...(isUnknown && { no_address_data: true }),
  };
}

interface Facts {
  readonly ip: string;
  readonly version: 4 | 6;
  readonly isPrivate: boolean;
  readonly kinds: number;
  readonly location: IpGeo;
  readonly system: AutonomousSystem | undefined;
  readonly recorded: History;
  /** The same history, with the points of an attacker feed. */
  readonly history: History;
  readonly findings: readonly Finding[];
}

function parse(given: string): ParsedIp {
  const parsed = parseAddress(given);
  if (parsed) return parsed;
  throw new RiskGateError("INVALID_ARGUMENT", "expected the text of one IP address");
}

function find(isPrivate: boolean, kinds: number, history: History, weights: Weights): Finding[] {
  // This address reveals nothing about the visitor: it belongs to an intermediate proxy or to one
  // of the operator's machines.
  if (isPrivate) return [{ name: "private", weight: 0 }];
  const findings: Finding[] = [];
  findHistory(history, weights, findings);
  if (kinds === 0) return findings;
  for (const name of ["tor", "proxy", "vpn", "datacenter"] as const) {
    if ((kinds & KIND_BITS[name]) !== 0) findings.push({ name, weight: weights[name] });
  }
  return findings;
}
