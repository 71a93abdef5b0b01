import { deepEqual, equal } from "node:assert/strict";
import type { SingleUseStore } from "../../packages/core/src/index.js";

/** Opens an empty store of used challenge tokens to test. */
export interface SingleUseHarness {
  readonly name: string;
  open(): Promise<{
    readonly store: SingleUseStore;
    /** The same tokens through another connection; the store itself if it has none. */
    readonly other: SingleUseStore;
    /** Lets this much time pass for the store, by its own clock or by waiting. */
    readonly advance: (ms: number) => Promise<void>;
    readonly close: () => Promise<void>;
  }>;
}

/** Longer than any check. */
const LONG_MS = 600_000;
const SHORT_MS = 200;

const token = (nonce: string, network = "n", ttlMs = LONG_MS, maxUnsolved = 3, maxTotal = 6) => ({
  nonce,
  network,
  ttlMs,
  maxUnsolved,
  maxTotal,
});

/** Sends 100 tokens at once, through both connections. */
const flood = async (
  stores: readonly [SingleUseStore, SingleUseStore],
  from: number,
  maxUnsolved: number,
  maxTotal: number,
): Promise<string[]> =>
  Promise.all(
    Array.from({ length: 100 }, async (_, n) =>
      stores[n % 2 ? 0 : 1].use(token(`${from + n}`, "n", LONG_MS, maxUnsolved, maxTotal)),
    ),
  );

/** Rules for every store of used challenge tokens. */
export const singleUseContract: readonly ReturnType<typeof check>[] = [
  check("USE-01", "accepts a token once", async ({ store, other }) => {
    equal(store.evicts, false);
    equal(await store.use(token("a")), "new");
    equal(await other.use(token("a")), "used");
    equal(await other.use(token("b")), "new");
    await store.solve(token("a"));
    equal(await other.use(token("a")), "used");
  }),
  check("USE-02", "accepts a token for one of many callers", async ({ store, other }) => {
    const calls = Array.from({ length: 100 }, async (_, n) =>
      (n % 2 ? store : other).use(token("a")),
    );
    const answers = await Promise.all(calls);
    equal(answers.filter((answer) => answer === "new").length, 1);
    equal(answers.filter((answer) => answer === "used").length, 99);
  }),
  check("USE-03", "limits the unsolved tokens of a network", async ({ store, other }) => {
    for (const nonce of ["a", "b", "c"]) equal(await store.use(token(nonce)), "new");
    equal(await other.use(token("d")), "full");
    equal(await other.use(token("a")), "used");
    equal(await store.use(token("d", "other")), "new");
    await other.solve(token("b"));
    equal(await store.use(token("d")), "new");
    equal(await store.use(token("e")), "full");
  }),
  check("USE-04", "limits the solved tokens of a network too", async ({ store }) => {
    const answers = [];
    for (const nonce of ["a", "b", "c", "d", "e", "f", "g"]) {
      answers.push(await store.use(token(nonce)));
      await store.solve(token(nonce));
    }
    deepEqual(answers, ["new", "new", "new", "new", "new", "new", "full"]);
  }),
  check("USE-05", "frees a network when its tokens expire", async ({ store, advance }) => {
    for (const nonce of ["a", "b"]) await store.use(token(nonce, "n", SHORT_MS));
    equal(await store.use(token("c")), "new");
    await advance(SHORT_MS + 1_000);
    equal(await store.use(token("c")), "used");
    for (const nonce of ["d", "e"]) equal(await store.use(token(nonce)), "new");
    equal(await store.use(token("f")), "full");
  }),
  check("USE-06", "holds a flood from one network to its limit", async ({ store, other }) => {
    const answers: string[] = [];
    for (let n = 0; n < 1_000; n += 100) {
      answers.push(...(await flood([store, other], n, 200, 5_000)));
    }
    equal(answers.filter((answer) => answer === "new").length, 200);
    equal(answers.filter((answer) => answer === "full").length, 800);
    equal(await store.use(token("a", "other")), "new");
  }),
  check("USE-07", "holds a flood to the limit of all tokens", async ({ store, other }) => {
    const answers = await flood([store, other], 0, 200, 50);
    equal(answers.filter((answer) => answer === "new").length, 50);
  }),
];

function check(
  id: string,
  title: string,
  body: (open: Awaited<ReturnType<SingleUseHarness["open"]>>) => Promise<void>,
) {
  const run = async (harness: SingleUseHarness): Promise<void> => {
    const open = await harness.open();
    try {
      await body(open);
    } finally {
      await open.close();
    }
  };
  return { id, title, run };
}
