import { describe, expect, it } from "vitest";
import type { Playbook } from "@riskgate/api-types";
import { draftOf, settingsOf } from "../../src/app/playbook-draft.js";

const response = {
  durationMs: 90_000,
  addresses: false,
  accounts: "all",
  ipv6Prefix: 128,
  internalAddresses: true,
};

const stored = (rule: Playbook["rule"]): Playbook => ({
  id: "p",
  applicationId: "a",
  name: "Block",
  rule,
  response,
  enabled: false,
  createdAt: "2026-01-31T12:00:00.000000+00:00",
});

describe("the draft of a playbook", () => {
  it.each<Playbook["rule"]>([
    { kinds: ["xss"], count: 3, windowMs: 30_000, per: "account" },
    { genres: ["injection_xss"], count: 2 },
    { accountScoreAbove: 75.5 },
  ])("loses nothing of %j", (rule) => {
    expect(settingsOf(draftOf(stored(rule)))).toEqual({
      name: "Block",
      enabled: false,
      rule,
      response,
    });
  });

  it("keeps the other forms of the rule while one is chosen", () => {
    const draft = draftOf(stored({ kinds: ["xss"], count: 3, windowMs: 30_000, per: "account" }));
    const changed = { ...draft, form: "accountScoreAbove" as const };
    expect(settingsOf(changed)).toMatchObject({ rule: { accountScoreAbove: 80 } });
    expect(settingsOf({ ...changed, form: "kinds" })).toMatchObject({ rule: { kinds: ["xss"] } });
  });
});
