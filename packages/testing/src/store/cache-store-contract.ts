import { equal } from "node:assert/strict";
import type { CacheStore } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { storeCheck } from "./store-check.js";

export interface CacheStoreHarness {
  readonly name: string;
  open(): Promise<OpenCacheStore>;
}

export interface OpenCacheStore {
  readonly store: CacheStore;
  /** Lets this much time pass for the store, by its own clock or by waiting. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const keyOf = (letter: string): string => letter.repeat(64);

const LONG_MS = 60_000;
const SHORT_MS = 300;

/** Rules for every cache store of a lookup client. */
export const cacheStoreContract: readonly ContractCheck<CacheStoreHarness>[] = [
  check("CST-01", "returns nothing for a key that was never set", async ({ store }) => {
    equal(await store.get(keyOf("a")), undefined);
  }),
  check("CST-02", "returns the text of a key", async ({ store }) => {
    await store.set(keyOf("a"), '{"v":1}', LONG_MS);
    equal(await store.get(keyOf("a")), '{"v":1}');
    equal(await store.get(keyOf("a")), '{"v":1}');
  }),
  check("CST-03", "keeps keys apart", async ({ store }) => {
    await store.set(keyOf("a"), "of a", LONG_MS);
    await store.set(keyOf("b"), "of b", LONG_MS);
    equal(await store.get(keyOf("a")), "of a");
    equal(await store.get(keyOf("b")), "of b");
    equal(await store.get(keyOf("c")), undefined);
  }),
  check("CST-04", "replaces a text and its time", async ({ store, advance }) => {
    await store.set(keyOf("a"), "first", SHORT_MS);
    await store.set(keyOf("a"), "second", LONG_MS);
    await advance(SHORT_MS * 2);
    equal(await store.get(keyOf("a")), "second");
    await store.set(keyOf("a"), "third", LONG_MS);
    equal(await store.get(keyOf("a")), "third");
    await store.set(keyOf("a"), "fourth", SHORT_MS);
    await advance(SHORT_MS * 2);
    equal(await store.get(keyOf("a")), undefined);
  }),
  check("CST-05", "forgets a text after its time", async ({ store, advance }) => {
    await store.set(keyOf("a"), "short", SHORT_MS);
    await store.set(keyOf("b"), "long", LONG_MS);
    await advance(SHORT_MS * 2);
    equal(await store.get(keyOf("a")), undefined);
    equal(await store.get(keyOf("b")), "long");
  }),
  check("CST-06", "changes no character of a text", async ({ store }) => {
    for (const text of ["\u0000", "a\r\nb", "\u00e9 \u2665 \u{1f512}", "\ufeff{}", "nil", "0"]) {
      await store.set(keyOf("a"), text, LONG_MS);
      equal(await store.get(keyOf("a")), text);
    }
  }),
  check("CST-07", "holds the largest text that core stores", async ({ store }) => {
    const text = "x".repeat(128 * 1024);
    await store.set(keyOf("a"), text, LONG_MS);
    equal(await store.get(keyOf("a")), text);
  }),
  check("CST-08", "never mixes texts that are set at the same time", async ({ store }) => {
    const texts = Array.from({ length: 50 }, (_, index) => String(index).repeat(1_000));
    await Promise.all(texts.map(async (text) => store.set(keyOf("a"), text, LONG_MS)));
    const found = await Promise.all(texts.map(async () => store.get(keyOf("a"))));
    for (const text of found) equal(texts.includes(text ?? ""), true);
  }),
];

function check(id: string, title: string, body: (open: OpenCacheStore) => Promise<void>) {
  return storeCheck(id, title, async (harness: CacheStoreHarness) => harness.open(), body);
}
