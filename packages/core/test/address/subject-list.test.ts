import { describe, expect, it } from "vitest";
import { readSubjectList } from "../../src/address/subject-list.js";
import { readOptions } from "../../src/base/options.js";
import { thrown } from "../support/caught.js";

/** The list that an option holds. */
const listOf = (name: string, entries: unknown) =>
  readOptions("createGate", { [name]: entries }, (options) => readSubjectList(options, name));

describe("readSubjectList", () => {
  const list = listOf("allow", [
    "8.8.8.8",
    "10.0.0.0/8",
    "2001:db8::/32",
    "Ann@Example.COM",
    "example.org",
    "@example.net",
    "b\u00fccher.example",
    "xn--bcher-kva.example",
  ]);

  it.each([
    ["8.8.8.8", true],
    ["8.8.8.9", false],
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
  ])("has the email %s: %s", (email, listed) => {
    expect(list?.hasEmail(email)).toBe(listed);
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
    const error = thrown(() => listOf("deny", ["8.8.8.8", entry]));
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain("deny[1]");
  });

  it("shows the entry that it refuses", () => {
    expect(thrown(() => listOf("deny", ["8.8.8.8", "localhost"])).message).toBe(
      "`deny[1]` must be an IP address, a network, an email address or a domain, " +
        'given "localhost"',
    );
  });

  it("refuses what is not a list, and makes nothing of an empty one", () => {
    expect(thrown(() => listOf("deny", "8.8.8.8")).code).toBe("CONFIG_INVALID");
    expect(listOf("deny", [])).toBeUndefined();
  });
});
