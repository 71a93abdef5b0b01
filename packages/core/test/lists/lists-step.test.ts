import { describe, expect, it } from "vitest";
import type { BlockList } from "../../src/lists/block-list.js";
import { createBlockList } from "../../src/lists/block-list.js";
import type { RiskGateError } from "../../src/base/errors.js";
import { type ListsOptions, readLists } from "../../src/lists/lists-step.js";
import type { Verdict } from "../../src/decision/step.js";
import { factOf } from "../../src/model/fact.js";
import { readOptions } from "../../src/base/options.js";
import { thrown } from "../support/caught.js";

type Lists = (ip: string | undefined, email: string | undefined) => Verdict | undefined;

/** The verdicts of a gate's lists; undefined if it has none. */
function listsOf(
  options: ListsOptions,
  report: (error: RiskGateError) => void = () => {},
): Lists | undefined {
  const step = readOptions("createGate", options, (reader) => readLists(reader, report));
  return step && ((ip, email) => step.before({ ip: factOf(ip), email: factOf(email) }));
}

/** As long as no address is: what is hidden in it is not looked for. */
const LONG = `${"(".repeat(1_024)}bad@x.y`;

describe("readLists", () => {
  const blockList = createBlockList();
  blockList.block("3.3.3.3");
  blockList.block("bad@x.y");
  const lists = listsOf({
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
    ["rejects a text that is too long to be read", "9.9.9.9", LONG, "reject", "override"],
    ["knows an address in any spelling", "::ffff:1.1.1.1", undefined, "reject", "override"],
  ])("%s", (_, ip, email, outcome, because) => {
    expect(lists?.(ip, email)).toEqual({ outcome, because });
  });

  it.each([
    ["9.9.9.9", "a@x.y"],
    [undefined, undefined],
    ["not an address", undefined],
  ])("says nothing of %s and %s", (ip, email) => {
    expect(lists?.(ip, email)).toBeUndefined();
  });

  it("lets no text pass that is too long to be read, and blocks it", () => {
    const allowing = listsOf({ allow: ["good.example"] });
    expect(allowing?.("9.9.9.9", `${" ".repeat(1_024)}a@good.example`)).toBeUndefined();
    const blocking = listsOf({ blockList });
    expect(blocking?.("9.9.9.9", LONG)).toEqual({ outcome: "reject", because: "blocked" });
    expect(listsOf({ deny: ["1.1.1.1"] })?.("9.9.9.9", LONG)).toBeUndefined();
  });

  it("is nothing where there are no lists", () => {
    expect(listsOf({ allow: [], deny: [] })).toBeUndefined();
  });

  it.each([[{}], [null], [7], [{ blocksIp: () => true }]])("refuses %j as a block list", (list) => {
    const blockList = list as unknown as BlockList;
    expect(thrown(() => listsOf({ blockList })).code).toBe("CONFIG_INVALID");
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["returns a promise", async () => true],
    [
      "returns a promise that rejects",
      async () => {
        throw new Error("broken");
      },
    ],
    ["returns no truth value", () => "no"],
  ])("takes a block list that %s for one that blocks nothing, and reports it", (_, answer) => {
    const errors: RiskGateError[] = [];
    const blockList = { blocksIp: answer, blocksEmail: answer } as unknown as BlockList;
    const lists = listsOf({ blockList }, (error) => errors.push(error));
    expect(lists?.("9.9.9.9", "a@x.y")).toBeUndefined();
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["HOOK_FAILED", "`blocksIp` of the block list failed"],
      ["HOOK_FAILED", "`blocksEmail` of the block list failed"],
    ]);
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
    const shared = listsOf({ blockList: new Shared() as unknown as BlockList });
    expect(shared?.("9.9.9.9", undefined)?.because).toBe("blocked");
    expect(shared?.(undefined, "a@x.y")?.because).toBe("blocked");
    expect(shared?.("8.8.8.8", "b@x.y")).toBeUndefined();
  });
});
