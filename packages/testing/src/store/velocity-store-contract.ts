import { deepEqual, ok } from "node:assert/strict";
import type { Tally, VelocityStore } from "@riskgate/core/velocity";
import type { ContractCheck } from "../base/contract-check.js";
import { storeCheck } from "./store-check.js";

export interface VelocityStoreHarness {
  readonly name: string;
  /** Window of the checks in milliseconds, long enough for two steps on a busy machine. */
  readonly windowMs: number;
  open(): Promise<OpenVelocityStore>;
}

export interface OpenVelocityStore {
  readonly store: VelocityStore;
  /** Opens a second store on the same counts, as in another process, if possible. */
  readonly other?: VelocityStore;
  /** Lets this much time pass for the store, by its own clock or by waiting. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const velocityStoreContract: readonly ContractCheck<VelocityStoreHarness>[] = [
  check("VEL-01", "counts what is added, and reads without counting", async ({ add, read }) => {
    deepEqual(await read("a"), [0]);
    deepEqual(await add("a"), [1]);
    deepEqual(await add("a"), [2]);
    deepEqual(await read("a"), [2]);
    deepEqual(await read("b"), [0]);
  }),
  check("VEL-02", "answers in the order of the counters", async ({ add, read }) => {
    await add("a", "b");
    await add("b", "c");
    deepEqual(await add("c", "a", "b"), [2, 2, 3]);
    deepEqual(await read("b", "nobody", "a"), [3, 0, 2]);
    deepEqual(await read(), []);
  }),
  check("VEL-03", "counts one event once", async ({ tally, read }) => {
    const visit = { counters: ["a"], adds: true, once: "ada@shop.example" };
    deepEqual(await tally(visit), [1]);
    deepEqual(await tally(visit), [1]);
    deepEqual(await tally({ ...visit, once: "eve@shop.example" }), [2]);
    deepEqual(
      await tally({ ...visit, counters: ["b"] }),
      [0],
      "another counter is not another event",
    );
    deepEqual(await read("a"), [2]);
  }),
  check("VEL-04", "stores nothing when it only reads", async ({ tally }) => {
    const visit = { counters: ["a"], once: "ada@shop.example" };
    deepEqual(await tally({ ...visit, adds: false }), [0]);
    deepEqual(await tally({ ...visit, adds: true }), [1]);
  }),
  check(
    "VEL-05",
    "forgets events outside of the window",
    async ({ add, tally, advance, windowMs }) => {
      await add("a");
      const visit = { counters: ["b"], adds: true, once: "ada@shop.example" };
      await tally(visit);
      await advance(2 * windowMs);
      deepEqual(await add("a"), [1]);
      deepEqual(await tally(visit), [1]);
    },
  ),
  check("VEL-06", "loses no event of many at once", async ({ add, read, other, windowMs }) => {
    const counters = ["a", "b"];
    await Promise.all(
      Array.from({ length: 50 }, async () =>
        Promise.all([add("a", "b"), other?.tally({ counters: ["b", "a"], windowMs, adds: true })]),
      ),
    );
    const sum = other ? 100 : 50;
    deepEqual(await read(...counters), [sum, sum]);
  }),
  check("VEL-07", "accepts any text as a name", async ({ add }) => {
    const names = ["__proto__", "constructor", " ", "case", "CASE", "\u00e9", "a\r\nb", "*", "\0"];
    const all = [...names, "k".repeat(1_000)];
    deepEqual(
      await add(...all),
      all.map(() => 1),
    );
  }),
  check(
    "VEL-10",
    "counts a distinct text once for each counter",
    async ({ tally, tallyOf, read, other }) => {
      const failure = { counters: ["a", "b"], adds: true, distinct: "ada@shop.example" };
      deepEqual(await tally(failure), [1, 1]);
      deepEqual(await tally(failure), [1, 1]);
      deepEqual(await tally({ ...failure, counters: ["b", "c"] }), [1, 1]);
      deepEqual(await tally({ ...failure, distinct: "eve@shop.example" }), [2, 2]);
      deepEqual(await tally({ ...failure, adds: false, distinct: "bob@shop.example" }), [2, 2]);
      const hostile = ["__proto__", " ", "\0", "a", "ADA@shop.example", "k".repeat(1_000)];
      await Promise.all(
        hostile.flatMap((distinct) => [
          tally({ ...failure, counters: ["d"], distinct }),
          tallyOf(other, { ...failure, counters: ["d"], distinct }),
        ]),
      );
      deepEqual(await read("d"), [hostile.length]);
    },
  ),
  check("VEL-11", "takes a distinct text back, once", async ({ tally, read, add }) => {
    const failure = { counters: ["a", "b"], adds: true, distinct: "ada@shop.example" };
    const success = { ...failure, counters: ["b", "a"], adds: false, takesBack: true };
    deepEqual(await tally(success), [0, 0]);
    await add("a");
    await tally(failure);
    deepEqual(await tally(success), [0, 1]);
    deepEqual(await tally(success), [0, 1]);
    deepEqual(await tally({ ...failure, distinct: "eve@shop.example" }), [2, 1]);
    deepEqual(await tally(success), [1, 2]);
    deepEqual(await tally(failure), [3, 2]);
    deepEqual(await read("a", "b"), [3, 2]);
  }),
  check(
    "VEL-12",
    "counts a distinct text for a window after its last event",
    async ({ tally, advance, windowMs }) => {
      const failure = { counters: ["a"], adds: true, distinct: "ada@shop.example" };
      await tally(failure);
      await advance(windowMs);
      deepEqual(await tally(failure), [1]);
      await advance(windowMs);
      deepEqual(await tally({ ...failure, adds: false, takesBack: true }), [0]);
      await tally(failure);
      await advance(2 * windowMs);
      deepEqual(await tally({ ...failure, adds: false }), [0]);
      deepEqual(await tally(failure), [1]);
    },
  ),
];

interface Open extends OpenVelocityStore {
  readonly windowMs: number;
  readonly tally: (tally: Omit<Tally, "windowMs">) => Promise<readonly number[]>;
  readonly tallyOf: (
    store: VelocityStore | undefined,
    tally: Omit<Tally, "windowMs">,
  ) => Promise<readonly number[]>;
  readonly add: (...counters: string[]) => Promise<readonly number[]>;
  readonly read: (...counters: string[]) => Promise<readonly number[]>;
}

function check(id: string, title: string, body: (open: Open) => Promise<void>) {
  return storeCheck(id, title, open, body);
}

async function open(harness: VelocityStoreHarness): Promise<Open> {
  const { windowMs } = harness;
  const opened = await harness.open();
  const tallyOf = async (store: VelocityStore | undefined, asked: Omit<Tally, "windowMs">) => {
    const counts = (await store?.tally({ ...asked, windowMs })) ?? [];
    ok(counts.every((count) => count >= 0));
    // Events in an earlier part of the window may weigh slightly less.
    return counts.map((count) => Math.max(0, Math.ceil(count - 1e-9)));
  };
  const tally = async (asked: Omit<Tally, "windowMs">) => tallyOf(opened.store, asked);
  const add = async (...counters: string[]) => tally({ counters, adds: true });
  const read = async (...counters: string[]) => tally({ counters, adds: false });
  return { ...opened, windowMs, tally, tallyOf, add, read };
}
