import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostsIn, isOverlong, mailboxesIn, normalizeHost } from "../../src/address/mailbox.js";
import { readOptions } from "../../src/base/options.js";
import { readDenyList } from "../../src/lists/subject-list.js";
import { createBlockList } from "../../src/lists/block-list.js";
import { compileConditions } from "../../src/rules/rule-conditions.js";
import { RuleSubject } from "../../src/rules/rule-facts.js";
import { countedEvent } from "../../src/velocity/velocity-counters.js";

const denies = (entry: string, email: string) =>
  readOptions("createGate", { deny: [entry] }, (given) =>
    readDenyList(given, "deny", true),
  )!.hasEmail(email);
const ruleOf = (domain: string, address: string) =>
  compileConditions({ domain: [domain] })(new RuleSubject({ address, score: null }));
const counted = (email: string) =>
  countedEvent(
    { email },
    {
      isLarge: () => false,
      registrableDomain: () => null,
      keys: undefined,
    },
  );

/** Text in which an email may hide. */
const piece = fc.constantFrom(
  ...'aB@.,<>()"\\[]:; +-1\u00e9\uff20\u3002\u0130\u1e9e\ufb01'.split(""),
  ..."a@x.com b@[1.2.3.4] c@[IPv6:2001:db8::1] d@[x.com] Eve@Sub.X.COM, <f@y.example>".split(" "),
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

describe("lists, rules and counters", () => {
  it("agree on the hosts of any text", () => {
    fc.assert(
      fc.property(text, (any) => {
        const hosts = hostsIn(any);
        for (const host of hosts) {
          expect(normalizeHost(host)).toBe(host);
          expect(hostsIn(`a@${host}`)).toEqual([host]);
          expect([any, host, denies(host, any)]).toEqual([any, host, true]);
          expect([any, host, ruleOf(host, any)]).not.toEqual([any, host, false]);
        }
        const mailboxes = mailboxesIn(any);
        const { texts } = counted(any);
        if (mailboxes.length < 4) expect(texts.domain).toHaveLength(hosts.length);
        expect(texts.mailbox.length).toBeLessThan(4);
        const [blocked = any] = mailboxes.slice(1);
        if (blocked.trim() === "" || isOverlong(blocked)) return;
        const blockList = createBlockList();
        blockList.apply({ properties: { ips: [], user_identifiers: [blocked] } });
        expect(blockList.blocksEmail(any)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("read the same whatever the case of an address and the blanks around it", () => {
    const blanks = fc.stringMatching(/^\s{0,3}$/);
    fc.assert(
      fc.property(fc.emailAddress(), blanks, (email, around) => {
        const other = `${around}${email.toUpperCase()}${around}${" ".repeat(2_000)}`;
        expect(hostsIn(other)).toEqual(hostsIn(email));
        expect(mailboxesIn(other)).toEqual(mailboxesIn(email));
        expect(counted(other).texts).toEqual(counted(email).texts);
        for (const host of hostsIn(email)) {
          expect(denies(host, other)).toBe(true);
          expect(ruleOf(host, other)).toBe(ruleOf(host, email));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
