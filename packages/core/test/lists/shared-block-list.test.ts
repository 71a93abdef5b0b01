import { describe, expect, it, onTestFinished } from "vitest";
import {
  type BlockStore,
  createMemoryBlockStore,
  type StoredBlock,
} from "../../src/lists/block-store.js";
import { createBlockList } from "../../src/index.js";
import { appliesLatestResponse } from "../../../../tools/test/block-order.js";
import { isRiskGateError, type RiskGateError } from "../../src/base/errors.js";

const EVERY_MS = 5;

function open(store: BlockStore, errors: RiskGateError[] = []) {
  const list = createBlockList({ store, onError: (error) => void errors.push(error) });
  onTestFinished(() => list.close());
  return list;
}

const soon = (check: () => boolean) => expect.poll(check, { timeout: 20_000, interval: 5 });

describe("a shared block list", () => {
  it("shares blocks and their removal", async () => {
    const store = createMemoryBlockStore({ everyMs: EVERY_MS });
    const [one, other] = [open(store), open(store)];
    one.apply({
      properties: {
        ips: [{ ip_cidr: "8.8.8.0/24" }, { ip_cidr: "2a00:1::9/64" }],
        user_identifiers: [{ email: "Ada+1@shop.example" }],
      },
    });
    expect(one.blocksIp("8.8.8.8")).toBe(true);
    await soon(() => other.blocksIp("8.8.8.8")).toBe(true);
    expect(other.blocksIp("2a00:1::1")).toBe(true);
    expect(other.blocksEmail("ada@shop.example")).toBe(true);
    // In another spelling of the same network.
    other.unblock("8.8.8.7/24");
    other.unblock("ada@shop.example");
    await soon(() => one.blocksIp("8.8.8.8")).toBe(false);
    expect(one.blocksEmail("ada@shop.example")).toBe(false);
    expect(one.blocksIp("2a00:1::1")).toBe(true);
    // Behind a NAT64 gateway.
    one.block("64:ff9b::9.9.9.9");
    await soon(() => other.blocksIp("9.9.9.9")).toBe(true);
  });

  it("applies the latest response, in whichever order they arrive", async () => {
    const store = createMemoryBlockStore({ everyMs: EVERY_MS });
    await expect(appliesLatestResponse(() => store)).resolves.toBeUndefined();
  });

  it("has the blocks in force when it is ready", async () => {
    const store = createMemoryBlockStore({ everyMs: EVERY_MS });
    const first = open(store);
    first.block("8.8.8.8");
    await first.saved();
    const next = open(store);
    await next.ready();
    expect(next.blocksIp("8.8.8.8")).toBe(true);
    expect(next.size).toBe(1);
  });

  it("keeps the last list while the store fails, and catches up", async () => {
    const memory = createMemoryBlockStore({ everyMs: EVERY_MS });
    let isDown = false;
    const orFail = <T>(call: () => Promise<T>): Promise<T> =>
      isDown ? Promise.reject(new Error("down")) : call();
    const store: BlockStore = {
      everyMs: EVERY_MS,
      changes: (cursor, signal) => orFail(() => memory.changes(cursor, signal)),
      save: (blocks) => orFail(async () => memory.save?.(blocks)),
    };
    const errors: RiskGateError[] = [];
    const [one, other] = [open(store, errors), open(memory)];
    one.block("8.8.8.8");
    await one.saved();
    isDown = true;
    one.block("9.9.9.9");
    await expect(one.saved()).rejects.toSatisfy(
      (error) => isRiskGateError(error) && error.code === "STORE_FAILED",
    );
    await soon(() => errors.length > 2).toBe(true);
    expect(one.blocksIp("8.8.8.8")).toBe(true);
    expect(one.blocksIp("9.9.9.9")).toBe(true);
    expect(other.blocksIp("9.9.9.9")).toBe(false);
    isDown = false;
    // What was blocked meanwhile is stored later.
    await soon(() => other.blocksIp("9.9.9.9")).toBe(true);
  });

  it("compares digests if the store holds digests", async () => {
    const saved: StoredBlock[] = [];
    const store: BlockStore = {
      everyMs: EVERY_MS,
      digestOf: (mailbox) => mailbox.toUpperCase(),
      async changes() {
        return { cursor: "1", isComplete: true, blocks: [...saved] };
      },
      async save(blocks) {
        saved.push(...blocks);
      },
    };
    const list = open(store);
    list.block("Ada@shop.example");
    expect(list.blocksEmail("ada@shop.example")).toBe(true);
    expect(list.blocksEmail("bob@shop.example")).toBe(false);
    await list.saved();
    expect(saved.map(({ target }) => target)).toEqual(["#ADA@SHOP.EXAMPLE"]);
  });

  it("blocks by itself if others alone can change the store", async () => {
    const store: BlockStore = {
      everyMs: EVERY_MS,
      async changes(cursor) {
        return { cursor: "1", isComplete: cursor === undefined, blocks: [] };
      },
    };
    const list = open(store);
    list.block("8.8.8.8");
    await list.saved();
    expect(list.blocksIp("8.8.8.8")).toBe(true);
    list.unblock("8.8.8.8");
    expect(list.blocksIp("8.8.8.8")).toBe(false);
  });

  it("ends a block at its time, and a changed one at the new time", async () => {
    let now = 0;
    const store = createMemoryBlockStore({ everyMs: EVERY_MS, now: () => now });
    const list = createBlockList({ store, now: () => now });
    onTestFinished(() => list.close());
    list.block("8.8.8.8", 1000);
    list.block("8.8.8.8", 3000);
    now = 2999;
    expect(list.blocksIp("8.8.8.8")).toBe(true);
    now = 3000;
    expect(list.blocksIp("8.8.8.8")).toBe(false);
  });

  it("refuses a store that is not one", () => {
    expect(() => createBlockList({ store: {} as never })).toThrow("a block store");
  });
});
