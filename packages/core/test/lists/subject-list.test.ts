import { describe, expect, it } from "vitest";
import { readAllowList, readDenyList } from "../../src/lists/subject-list.js";
import { readOptions } from "../../src/base/options.js";
import { thrown } from "../support/caught.js";

/** The list that an option holds. */
const allowing = (entries: unknown) =>
  readOptions("createGate", { allow: entries }, (options) => readAllowList(options, "allow"));
const denying = (entries: unknown, providerRules = true) =>
  readOptions("createGate", { deny: entries }, (options) =>
    readDenyList(options, "deny", providerRules),
  );

describe("readAllowList", () => {
  const list = allowing([
    "8.8.8.8",
    "10.0.0.0/8",
    "2001:db8::/32",
    "Ann@Example.COM",
    "example.org",
    "@example.net",
    "b\u00fccher.example",
    "xn--bcher-kva.example",
    "64:ff9b::9.9.9.9",
  ]);

  it.each([
    ["8.8.8.8", true],
    ["8.8.8.9", false],
    // The address of a client is its IPv4 address.
    ["9.9.9.9", true],
    ["10.255.0.1", true],
    ["::ffff:10.0.0.1", true],
    ["2001:db8:1::", true],
    ["2001:db9::", false],
    ["example.org", false],
    ["", false],
  ])("has the address %s: %s", (ip, listed) => {
    expect(list?.hasIp(ip)).toBe(listed);
  });

  it.each([
    ["Ann@example.com", true],
    ["Ann@EXAMPLE.com", true],
    ["ann@example.com", false],
    ["bob@example.com", false],
    ["x@example.org", true],
    ["x@EXAMPLE.ORG", true],
    ["x@mail.example.org", true],
    ["x@badexample.org", false],
    ["x@example.org.evil", false],
    ["x@example.net", true],
    ["x@b\u00fccher.example", true],
    ["x@xn--bcher-kva.example", true],
    ["example.org@evil.example", false],
    ["8.8.8.8", false],
    ["", false],
    ["x@", false],
    ["<attacker@evil.test>@example.org", false],
    ["attacker@evil.test x@example.org", false],
    ["attacker\uff20evil.test@example.org", false],
    ["x@example.org.", false],
    [" x@example.org", false],
    ["Ann+1@example.com", false],
  ])("has the email %j: %s", (email, listed) => {
    expect(list?.hasEmail(email)).toBe(listed);
  });

  it.each(["eve@x.com.", "<eve@x.com>", "e ve@x.com", '"eve"@x.com'])(
    "refuses the entry %j, which is no exact mailbox",
    (entry) => {
      expect(thrown(() => allowing([entry])).code).toBe("CONFIG_INVALID");
    },
  );
});

describe("readDenyList", () => {
  const list = denying([
    "8.8.8.8",
    "Eve@Example.COM",
    "mallory+shop@gmail.com",
    "example.org",
    "b\u00fccher.example",
    "fastmail.com",
    "googlemail.com",
    "@[192.0.2.1]",
  ]);

  it.each([
    ["eve@example.com", true],
    ["EVE@example.com", true],
    ["eve@example.com.", true],
    [" eve@example.com\n", true],
    ["\uff45\uff56\uff45@example\uff0ecom", true],
    ["eve+1@example.com", true],
    ["<eve@example.com>", true],
    ["eve@example.com,x@y.example", true],
    ["<eve@example.com>@y.example", true],
    ["eva@example.com", false],
    ["m.allory@googlemail.com", true],
    ["mallor@gmail.com", false],
    ["x@example.org.", true],
    ["x@mail.EXAMPLE\u3002org", true],
    ["x@y.example <a@example.org>", true],
    ["x@badexample.org", false],
    ["x@xn--bcher-kva.example", true],
    ["x@eve.fastmail.com", true],
    ["x@googlemail.com", true],
    ["x@gmail.com", false],
    ["x@[Example.org]", true],
    ["x@[192.0.2.1]", true],
    ["x@192.0.2.1", true],
    ["x@[192.0.2.2]", false],
    [`x@example.org${" ".repeat(2_000)}`, true],
    [`eva@example.com${" ".repeat(2_000)}`, false],
    ["", false],
  ])("has the email %j: %s", (email, listed) => {
    expect(list?.hasEmail(email)).toBe(listed);
  });

  it("takes each spelling for another mailbox without the rules of providers", () => {
    const plain = denying(["eve@gmail.com"], false);
    const emails = ["EVE@gmail.com.", "eve+1@gmail.com", "e.ve@gmail.com", "eve@googlemail.com"];
    expect(emails.map((email) => plain?.hasEmail(email))).toEqual([true, false, false, false]);
  });

  it.each([
    ["*@bad.com", 'write "bad.com" to cover all its addresses'],
    ["*.bad.com", 'write "bad.com" to cover all its addresses'],
    ["eve*@bad.com", 'write "bad.com" to cover all its addresses'],
    ["10.0.0.*", "write a network or a domain"],
  ])("refuses the pattern %j and says what to write", (entry, advice) => {
    expect(thrown(() => denying([entry])).message).toBe(
      "`deny[0]` must be an IP address, a network, an email address or a domain, not a pattern " +
        `(${advice}), given "${entry}"`,
    );
  });

  it.each([
    "",
    "localhost",
    "8.8.8",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3.4-9",
    "10.0.0.0/33",
    "10.0.0.*",
    "*.example.com",
    "a b@x.y",
    "@",
    "https://example.com",
    "8.8.8.8:53",
    "example..com",
    ".example.com",
    7,
    null,
  ])("refuses the entry %j, which could never match", (entry) => {
    const error = thrown(() => denying(["8.8.8.8", entry]));
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain("deny[1]");
  });

  it("shows the entry that it refuses", () => {
    expect(thrown(() => denying(["8.8.8.8", "localhost"])).message).toBe(
      "`deny[1]` must be an IP address, a network, an email address or a domain, " +
        'given "localhost"',
    );
  });

  it("refuses what is not a list, and makes nothing of an empty one", () => {
    expect(thrown(() => denying("8.8.8.8")).code).toBe("CONFIG_INVALID");
    expect(denying([])).toBeUndefined();
  });
});
