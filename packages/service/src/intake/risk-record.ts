import { lastByAccount, type ScoredEvent } from "../detection/detect.js";
import type { EventGeo } from "@riskgate/core/payloads";
import type { RiskPeek, ScratchLedger } from "../model/scratch.js";
import type { LedgerRecord } from "../model/subject.js";
import type { IntakeEvent } from "../model/event.js";
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

/** Returns the location of an address, and whether it is a Tor exit, if known. */
export function locateIp(
  peek: Pick<RiskPeek, "peekIp">,
  ip: string,
): { geo: EventGeo; isTor: boolean } {
  const assessment = peek.peekIp(ip)?.assessment;
  const { city, country_code: code, longitude, latitude } = assessment?.ip_geo ?? {};
  const point =
    longitude === undefined || latitude === undefined ? undefined : [longitude, latitude];
  return {
    geo: {
      ...(typeof city === "string" && { city }),
      ...(code !== undefined && { code }),
      ...(point && { point: point as [number, number] }),
    },
    isTor: assessment?.is_tor ?? false,
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
