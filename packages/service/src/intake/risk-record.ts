import { lastByAccount, type ScoredEvent } from "../detection/detect.js";
import type { RiskPeek, ScratchLedger } from "../model/scratch.js";
import type { LedgerRecord } from "../model/subject.js";
import type { IntakeEvent } from "../model/event.js";
import type { Located } from "../model/place.js";
import { factsOfKind } from "../model/event-kind.js";

/** Returns the ledger entries for an event: one for each address and identifier that it names. */
export function ledgerRecordsOf(event: IntakeEvent, seq: number): readonly LedgerRecord[] {
  const { occurredAt, addresses, highRisk } = event;
  const { isAccountActing: isActing, countsForAddress } = factsOfKind(event.kind);
  return [
    ...addresses.map((subject) => ({
      seq,
      occurredAt,
      type: "ip" as const,
      subject,
      highRisk,
      ...(!countsForAddress && { isNotice: true }),
    })),
    ...event.identifiers.map((subject) => ({
      seq,
      occurredAt,
      type: "account" as const,
      subject,
      highRisk: highRisk && isActing,
    })),
  ];
}

/** Returns the location of an address, if known, and whether its visitors may be elsewhere. */
export function locateIp(peek: Pick<RiskPeek, "peekIp">, ip: string): Located {
  const assessment = peek.peekIp(ip)?.assessment;
  const { city, country_code: code, longitude, latitude, ...rest } = assessment?.ip_geo ?? {};
  const { is_tor: isTor = false, is_vpn, is_proxy, is_datacenter } = assessment ?? {};
  const point =
    longitude === undefined || latitude === undefined ? undefined : [longitude, latitude];
  return {
    geo: {
      ...(typeof city === "string" && { city }),
      ...(code !== undefined && { code }),
      ...(point && { point: point as [number, number] }),
    },
    isTor,
    isDetour: [isTor, is_vpn, is_proxy, is_datacenter].includes(true),
    ...(rest.accuracy_km !== undefined && { accuracyKm: rest.accuracy_km }),
  };
}

function scoreOf(peek: RiskPeek, account: string): number {
  return peek.peekEmail(account)?.assessment.risk_score ?? 0;
}

/** Adds entries to the ledger, and returns the accounts with a score above the lowest threshold. */
export function scoreAccounts(
  events: readonly IntakeEvent[],
  entries: readonly LedgerRecord[],
  least: number,
  { ledger, peek }: { readonly ledger: ScratchLedger; readonly peek: RiskPeek },
): readonly ScoredEvent[] {
  const before = [...lastByAccount(events)].map(([account, event]) => {
    return { account, event, before: scoreOf(peek, account) };
  });
  ledger.add(entries);
  return before
    .map(({ account, ...one }) => ({ ...one, score: scoreOf(peek, account) }))
    .filter(({ score }) => score > least);
}
