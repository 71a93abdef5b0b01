import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MAIL_PROVIDERS, mailProviderOf } from "../../src/address/mail-providers.js";
import { normalizeDomain } from "../../src/address/domain-name.js";

const page = readFileSync(new URL("../../../../docs/mailboxes.md", import.meta.url), "utf8");

describe("MAIL_PROVIDERS", () => {
  it("has each domain once, in its normal form, and on the page", () => {
    const domains = MAIL_PROVIDERS.flatMap((provider) => [...provider.domains]);
    expect(domains).toEqual([...new Set(domains)]);
    for (const domain of domains) {
      expect(normalizeDomain(domain)).toBe(domain);
      expect(mailProviderOf(domain)?.domains).toContain(domain);
      expect(page).toContain(`\`${domain}\``);
    }
  });
});
