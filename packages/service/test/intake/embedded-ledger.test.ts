import { EVENT_KINDS } from "@riskgate/core";
import { createLedgerReporter, createMemoryLedger } from "@riskgate/engine";
import { describe, expect, it } from "vitest";
import { openIntake } from "../support/open-intake.js";

const ADDRESS = "8.8.8.8";
const ACCOUNT = "ann@example.com";

const NO_HISTORY = {
  is_known_attacker: false,
  security_events_count: 0,
  high_risk_security_events_count: 0,
};

describe("an event", () => {
  it.each(EVENT_KINDS)(
    "of kind %s counts in an embedded ledger as in the service",
    async (kind) => {
      const { intake, engine, applicationId } = await openIntake();
      await intake.report(applicationId, [
        {
          event_kind: kind,
          ips: [ADDRESS],
          application_account_account_keys: [{ name: "email", value: ACCOUNT }],
        },
      ]);
      const ledger = createMemoryLedger();
      createLedgerReporter({ ledger }).event({ kind, address: ADDRESS, account: ACCOUNT });
      const historyOf = (known: object | undefined) => {
        const { is_known_attacker, security_events_count, high_risk_security_events_count } =
          (known ?? NO_HISTORY) as Record<string, unknown>;
        return { is_known_attacker, security_events_count, high_risk_security_events_count };
      };
      expect(historyOf(ledger.ipHistory(ADDRESS))).toEqual(
        historyOf(await engine.lookupIp(ADDRESS)),
      );
      expect(historyOf(ledger.emailHistory(ACCOUNT))).toEqual(
        historyOf(await engine.lookupEmail(ACCOUNT)),
      );
    },
  );
});
