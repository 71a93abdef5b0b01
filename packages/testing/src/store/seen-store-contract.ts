import { deepEqual, ok } from "node:assert/strict";
import type { SeenStore } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { storeCheck } from "./store-check.js";

export interface SeenStoreHarness {
  readonly name: string;
  /** True if the store evicts at `maxEntries` instead of growing. */
  readonly isBounded: boolean;
  open(settings: SeenStoreSettings): Promise<OpenSeenStore>;
}

export interface SeenStoreSettings {
  readonly ttlMs: number;
  readonly reservationMs: number;
  readonly maxEntries: number;
}

export interface OpenSeenStore {
  readonly store: SeenStore;
  /** Lets this much time pass for the store, by its own clock or by waiting. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Longer than any check, for stores whose clock cannot be set. */
const SETTINGS: SeenStoreSettings = { ttlMs: 120_000, reservationMs: 60_000, maxEntries: 10_000 };
const HELD: SeenStoreSettings = { ...SETTINGS, reservationMs: 1_000 };
const REMEMBERED: SeenStoreSettings = { ...SETTINGS, ttlMs: 1_000, reservationMs: 100 };
const RUN_OUT: SeenStoreSettings = { ...SETTINGS, reservationMs: 100 };

/** Rules for every store of handled payloads. */
export const seenStoreContract: readonly ContractCheck<SeenStoreHarness>[] = [
  check("SEEN-01", "reserves a new key once", async ({ store }) => {
    deepEqual(await store.reserve(["a"]), ["new"]);
    deepEqual(await store.reserve(["a"]), ["busy"]);
    deepEqual(await store.reserve(["b"]), ["new"]);
  }),
  check("SEEN-02", "remembers committed keys", async ({ store }) => {
    await store.reserve(["a"]);
    await store.commit(["a"]);
    deepEqual(await store.reserve(["a"]), ["done"]);
    deepEqual(await store.reserve(["a"]), ["done"]);
  }),
  check("SEEN-03", "frees released keys", async ({ store }) => {
    await store.reserve(["a"]);
    await store.release(["a"]);
    deepEqual(await store.reserve(["a"]), ["new"]);
  }),
  check("SEEN-04", "answers a batch in the order of its keys", async ({ store }) => {
    await store.reserve(["done", "busy"]);
    await store.commit(["done"]);
    const keys = ["new-1", "done", "new-2", "busy", "new-3"];
    deepEqual(await store.reserve(keys), ["new", "done", "new", "busy", "new"]);
    deepEqual(await store.reserve(keys), ["busy", "done", "busy", "busy", "busy"]);
  }),
  check("SEEN-05", "commits and releases in batches", async ({ store }) => {
    await store.reserve(["a", "b", "c", "d"]);
    await store.commit(["a", "b"]);
    await store.release(["c", "d"]);
    deepEqual(await store.reserve(["a", "b", "c", "d"]), ["done", "done", "new", "new"]);
  }),
  check("SEEN-06", "accepts empty batches and 1,000 keys", async ({ store }) => {
    deepEqual(await store.reserve([]), []);
    await store.commit([]);
    await store.release([]);
    const keys = Array.from({ length: 1000 }, (_, index) => `key-${index}`);
    deepEqual(new Set(await store.reserve(keys)), new Set(["new"]));
    await store.commit(keys);
    deepEqual(new Set(await store.reserve(keys)), new Set(["done"]));
  }),
  check("SEEN-07", "gives a key to one of many callers", async ({ store }) => {
    const wants = Array.from({ length: 100 }, async () => store.reserve(["a", "b"]));
    const answers = await Promise.all(wants);
    for (const place of [0, 1]) {
      const given = answers.map((answer) => answer[place]);
      deepEqual(given.filter((answer) => answer === "new").length, 1);
      deepEqual(given.filter((answer) => answer === "busy").length, 99);
    }
  }),
  check(
    "SEEN-08",
    "frees a reservation that is never settled",
    async ({ store, advance }) => {
      await store.reserve(["a"]);
      await advance(HELD.reservationMs * 0.5);
      deepEqual(await store.reserve(["a"]), ["busy"]);
      await advance(HELD.reservationMs * 0.7);
      deepEqual(await store.reserve(["a"]), ["new"]);
    },
    HELD,
  ),
  check(
    "SEEN-09",
    "forgets committed keys only after their time",
    async ({ store, advance }) => {
      await store.reserve(["a"]);
      await store.commit(["a"]);
      await advance(REMEMBERED.ttlMs * 0.4);
      deepEqual(await store.reserve(["a"]), ["done"]);
      await advance(REMEMBERED.ttlMs);
      deepEqual(await store.reserve(["a"]), ["new"]);
    },
    REMEMBERED,
  ),
  check(
    "SEEN-10",
    "remembers a commitment whose reservation has run out",
    async (open) => {
      await open.store.reserve(["a"]);
      await open.advance(RUN_OUT.reservationMs * 1.5);
      await open.store.commit(["a"]);
      deepEqual(await open.store.reserve(["a"]), ["done"]);
    },
    RUN_OUT,
  ),
  check("SEEN-11", "accepts any text as a key", async ({ store }) => {
    const keys = [
      "__proto__",
      "constructor",
      " ",
      "case",
      "CASE",
      "\u00e9",
      "a\r\nb",
      "*",
      "k".repeat(200),
    ];
    deepEqual(new Set(await store.reserve(keys)), new Set(["new"]));
    await store.commit(keys);
    deepEqual(new Set(await store.reserve(keys)), new Set(["done"]));
  }),
  check(
    "SEEN-12",
    "stays within its limit, and keeps the newest keys",
    async ({ store }, { isBounded }) => {
      if (!isBounded) return;
      for (let index = 0; index < 100; index++) {
        await store.reserve([`key-${index}`]);
        await store.commit([`key-${index}`]);
      }
      deepEqual(await store.reserve(["key-99", "key-98"]), ["done", "done"]);
      const old = await store.reserve(["key-0"]);
      deepEqual(old, ["new"], "the oldest is evicted");
    },
    { ...SETTINGS, maxEntries: 10 },
  ),
];

function check(
  id: string,
  title: string,
  body: (open: OpenSeenStore, harness: SeenStoreHarness) => Promise<void>,
  settings: SeenStoreSettings = SETTINGS,
) {
  ok(settings.reservationMs < settings.ttlMs);
  return storeCheck(id, title, async (harness) => harness.open(settings), body);
}
