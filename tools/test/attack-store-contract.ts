import { deepEqual } from "node:assert/strict";
import type { AttackStore, LoginCounts } from "../../packages/core/src/attack.js";

/** Opens an empty store of login counts to test. */
export interface AttackStoreHarness {
  open(): Promise<{
    readonly store: AttackStore;
    /** The same counts through another connection; the store itself if it has none. */
    readonly other: AttackStore;
    readonly close: () => Promise<void>;
  }>;
}

const TTL_MS = 600_000;
const NONE: LoginCounts = { known: 0, fresh: 0, failed: 0, attacked: 0 };

const call = (
  adds: Partial<LoginCounts>,
  reads: readonly number[] = [7],
  { name = "login", period = 7 } = {},
) => ({ name, period, adds, reads, ttlMs: TTL_MS });

/** Rules for every store of login counts. */
export const attackStoreContract: readonly ReturnType<typeof check>[] = [
  check("ATS-01", "returns 0 for periods without logins", async ({ store }) => {
    deepEqual(await store.count(call({}, [7, 8])), [NONE, NONE]);
    deepEqual(await store.count(call({}, [])), []);
  }),
  check("ATS-02", "adds to one period, and takes back", async ({ store, other }) => {
    const first = await store.count(call({ fresh: 1, failed: 1 }));
    deepEqual(first, [{ ...NONE, fresh: 1, failed: 1 }]);
    deepEqual(await other.count(call({ failed: -1, known: 2, attacked: 1 })), [
      { known: 2, fresh: 1, failed: 0, attacked: 1 },
    ]);
    deepEqual(await store.count(call({ fresh: 1 }, [])), []);
    deepEqual((await store.count(call({})))[0]?.fresh, 2);
  }),
  check("ATS-03", "reads several periods in the order asked", async ({ store, other }) => {
    await store.count(call({ known: 1 }, [], { period: 5 }));
    await other.count(call({ known: 2 }, [], { period: 6 }));
    const counts = await store.count(call({ known: 3 }, [6, 7, 5, 4]));
    deepEqual(
      counts.map(({ known }) => known),
      [2, 3, 1, 0],
    );
  }),
  check("ATS-04", "counts names apart", async ({ store }) => {
    await store.count(call({ known: 1 }, [], { name: "shop.login" }));
    deepEqual(await store.count(call({})), [NONE]);
  }),
  check("ATS-05", "counts each of many callers", async ({ store, other }) => {
    const calls = Array.from({ length: 50 }, async (_, n) =>
      (n % 2 ? store : other).count(call({ fresh: 1 })),
    );
    const found = (await Promise.all(calls)).map(([one]) => one?.fresh ?? 0);
    deepEqual(
      found.toSorted((one, next) => one - next),
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
  }),
];

type Opened = Awaited<ReturnType<AttackStoreHarness["open"]>>;

function check(id: string, title: string, body: (opened: Opened) => Promise<void>) {
  const run = async (harness: AttackStoreHarness): Promise<void> => {
    const opened = await harness.open();
    try {
      await body(opened);
    } finally {
      await opened.close();
    }
  };
  return { id, title, run };
}
