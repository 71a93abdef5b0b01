import { describe, expect, it } from "vitest";
import type { BlockList } from "../../src/gate/block-list.js";
import { createBlockList } from "../../src/gate/block-list.js";
import { createOverride } from "../../src/gate/override.js";
import { createSubjectList } from "../../src/address/subject-list.js";
import { thrown } from "../support/caught.js";

describe("createSubjectList", () => {
  const list = createSubjectList("allow", [
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
    7 as unknown as string,
    null as unknown as string,
  ])("refuses the entry %j, which could never match", (entry) => {
    const error = thrown(() => createSubjectList("deny", ["8.8.8.8", entry]));
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain("deny[1]");
  });

  it("refuses what is no list, and makes nothing of an empty one", () => {
    expect(thrown(() => createSubjectList("deny", "8.8.8.8" as unknown as [])).code).toBe(
      "CONFIG_INVALID",
    );
    expect(createSubjectList("deny", [])).toBeUndefined();
  });
});

describe("createOverride", () => {
  const blockList = createBlockList();
  blockList.block("3.3.3.3");
  blockList.block("bad@x.y");
  const override = createOverride({
    deny: ["1.1.1.1", "evil.example"],
    allow: ["2.2.2.2", "1.1.1.0/24", "3.3.3.0/24", "good.example"],
    blockList,
  });

  it.each([
    ["denies before it allows", "1.1.1.1", undefined, "reject", "override"],
    ["allows what is not denied", "1.1.1.2", undefined, "allow", "override"],
    ["denies an email from an allowed address", "2.2.2.2", "a@evil.example", "reject", "override"],
    ["allows what is also blocked for a while", "3.3.3.3", undefined, "allow", "override"],
    ["allows a blocked email from an allowed address", "2.2.2.2", "bad@x.y", "allow", "override"],
    ["allows an email whose address is blocked", "3.3.3.3", "a@good.example", "allow", "override"],
    ["rejects a blocked email", "9.9.9.9", "bad@x.y", "reject", "blocked"],
    ["knows an address in any spelling", "::ffff:1.1.1.1", undefined, "reject", "override"],
  ])("%s", (_, ip, email, outcome, because) => {
    expect(override?.(ip, email)).toEqual({ outcome, because });
  });

  it.each([
    ["9.9.9.9", "a@x.y"],
    [undefined, undefined],
    ["not an address", undefined],
  ])("says nothing of %s and %s", (ip, email) => {
    expect(override?.(ip, email)).toBeUndefined();
  });

  it("is nothing where there are no lists", () => {
    expect(createOverride({ allow: [], deny: [] })).toBeUndefined();
  });

  it.each([[{}], [null], [7], [{ blocksIp: () => true }]])("refuses %j as a block list", (list) => {
    const blockList = list as unknown as BlockList;
    expect(thrown(() => createOverride({ blockList })).code).toBe("CONFIG_INVALID");
  });

  it("takes a block list that is an object of a class", () => {
    class Shared implements Pick<BlockList, "blocksIp" | "blocksEmail"> {
      readonly #blocked = new Set(["9.9.9.9", "a@x.y"]);
      blocksIp(ip: string): boolean {
        return this.#blocked.has(ip);
      }
      blocksEmail(email: string): boolean {
        return this.#blocked.has(email);
      }
    }
    const shared = createOverride({ blockList: new Shared() as unknown as BlockList });
    expect(shared?.("9.9.9.9", undefined)?.because).toBe("blocked");
    expect(shared?.(undefined, "a@x.y")?.because).toBe("blocked");
    expect(shared?.("8.8.8.8", "b@x.y")).toBeUndefined();
  });
});
