import { deepEqual, equal } from "node:assert/strict";
import type { DeviceStore } from "../../packages/core/src/device.js";

/** Opens an empty store of devices to test. */
export interface DeviceStoreHarness {
  readonly name: string;
  open(): Promise<{
    readonly store: DeviceStore;
    /** The same devices through another connection; the store itself if it has none. */
    readonly other: DeviceStore;
    /** Lets this much time pass for the store, by its own clock or by waiting. */
    readonly advance: (ms: number) => Promise<void>;
    readonly close: () => Promise<void>;
  }>;
}

/** Longer than any check. */
const LONG_MS = 600_000;
const SHORT_MS = 200;

const use = (device: string, account = "account", ttlMs = LONG_MS) => ({ device, account, ttlMs });

/** Rules for every store of devices. */
export const deviceStoreContract: readonly ReturnType<typeof check>[] = [
  check("DVC-01", "counts the tries of each device", async ({ store, other }) => {
    equal(store.evicts, false);
    deepEqual(await store.use(use("a")), { tries: 1, validFromMs: 0 });
    deepEqual(await other.use(use("a")), { tries: 2, validFromMs: 0 });
    deepEqual(await other.use(use("b")), { tries: 1, validFromMs: 0 });
  }),
  check("DVC-02", "counts each of many callers", async ({ store, other }) => {
    const calls = Array.from({ length: 50 }, async (_, n) => (n % 2 ? store : other).use(use("a")));
    const tries = (await Promise.all(calls)).map((answer) => answer.tries);
    deepEqual(
      tries.toSorted((one, next) => one - next),
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
  }),
  check("DVC-03", "takes a try back", async ({ store, other }) => {
    await store.use(use("a"));
    await store.use(use("a"));
    await other.giveBack("a");
    equal((await store.use(use("a"))).tries, 2);
    await store.giveBack("a");
    await store.giveBack("a");
    await store.giveBack("a");
    await store.giveBack("unknown");
    equal((await other.use(use("a"))).tries, 1);
  }),
  check("DVC-04", "tells from when on an account's cookies are valid", async ({ store, other }) => {
    await store.clear("ann", 1_700_000_000_000, LONG_MS);
    deepEqual(await other.use(use("a", "ann")), { tries: 1, validFromMs: 1_700_000_000_000 });
    deepEqual(await other.use(use("b", "bob")), { tries: 1, validFromMs: 0 });
    await other.clear("ann", 1_700_000_000_001, LONG_MS);
    equal((await store.use(use("a", "ann"))).validFromMs, 1_700_000_000_001);
  }),
  check("DVC-05", "forgets nothing early", async ({ store, advance }) => {
    await store.use(use("a"));
    await store.clear("account", 1, LONG_MS);
    await advance(SHORT_MS * 2);
    deepEqual(await store.use(use("a")), { tries: 2, validFromMs: 1 });
  }),
  check(
    "DVC-06",
    "counts a device anew once its cookie has expired",
    async ({ store, advance }) => {
      await store.use(use("a", "account", SHORT_MS));
      await advance(SHORT_MS * 2);
      equal((await store.use(use("a"))).tries, 1);
    },
  ),
];

type Opened = Awaited<ReturnType<DeviceStoreHarness["open"]>>;

function check(id: string, title: string, body: (opened: Opened) => Promise<void>) {
  const run = async (harness: DeviceStoreHarness): Promise<void> => {
    const opened = await harness.open();
    try {
      await body(opened);
    } finally {
      await opened.close();
    }
  };
  return { id, title, run };
}
