import type { Assessment, LookupType } from "../model/assessment.js";
import { assessmentProblem, sealJson } from "./assessment-check.js";
import { startDeadline } from "../base/time-limit.js";
import { sha256 } from "../base/platform.js";
import { MAX_ANSWER_BYTES } from "./transport.js";

/**
 * Second level of the cache, shared by several processes: texts with an expiry.
 *
 * Any trouble with a store is a miss: no lookup fails because of it, and no lookup waits for it
 * longer than 100 ms, or than its `readTimeoutMs`.
 */
export interface CacheStore {
  /** How long a lookup waits for `get`, in milliseconds; default 100. Afterwards it is a miss. */
  readonly readTimeoutMs?: number;
  /** The text of this key, or undefined. Keys are 64 lowercase hex digits. */
  get(key: string): Promise<string | undefined>;
  /** Keep a text for `ttlMs`, a whole number above 0; key and expiry must be set in one step. */
  set(key: string, value: string, ttlMs: number): Promise<void>;
}

/** What was found in a store. */
interface Stored {
  readonly assessment: Assessment;
  /** How long it is still fresh. */
  readonly ttlMs: number;
}

/** The assessments of one client in a {@link CacheStore}. */
export interface SharedCache {
  /** Never rejects. */
  read(type: LookupType, key: string): Promise<Stored | undefined>;
  /** Returns at once. */
  write(type: LookupType, key: string, assessment: Assessment, ttlMs: number): void;
}

interface Envelope {
  /** Version of this form. */
  readonly v: number;
  /** Its own key, so that a value found under another key is not believed. */
  readonly k: string;
  /** When it expires, by the time of day: the only clock that several machines share. */
  readonly t: number;
  /** The assessment, without the identifier. */
  readonly a: Assessment;
}

const VERSION = 1;
const READ_TIMEOUT_MS = 100;

/** An answer at its largest, written again with escapes, and what is put around it. */
const MAX_VALUE_LENGTH = 2 * MAX_ANSWER_BYTES;

/**
 * Use a store for the answers of one service to one API key.
 *
 * @param scope Base URL and API key: others that use the same store share nothing with it.
 */
export function createSharedCache(store: CacheStore, scope: readonly string[]): SharedCache {
  const { readTimeoutMs = READ_TIMEOUT_MS } = store;
  // The API key is part of what is hashed, so that even someone who can guess addresses cannot see
  // by the keys which ones were looked up.
  const storeKey = (type: LookupType, key: string): string =>
    sha256(JSON.stringify([VERSION, type, ...scope, key]), "hex");

  const get = async (type: LookupType, key: string): Promise<Stored | undefined> => {
    try {
      const name = storeKey(type, key);
      return open(await store.get(name), name, type, key);
    } catch {
      // Trouble with the store, or a text that is not JSON: a miss either way.
      return undefined;
    }
  };

  return {
    read: (type, key) =>
      new Promise((resolve) => {
        const stopDeadline = startDeadline(readTimeoutMs, () => resolve(undefined));
        void get(type, key).then((found) => {
          stopDeadline();
          resolve(found);
        });
      }),

    write(type, key, assessment, ttlMs) {
      if (ttlMs <= 0) return;
      const put = async (): Promise<void> => {
        const name = storeKey(type, key);
        const a = Object.hasOwn(assessment, type) ? { ...assessment, [type]: "" } : assessment;
        const envelope: Envelope = { v: VERSION, k: name, t: Date.now() + ttlMs, a };
        await store.set(name, JSON.stringify(envelope), Math.ceil(ttlMs));
      };
      // The answer is already given. A write that fails costs one more call later and nothing now.
      put().catch(() => {});
    },
  };
}

function open(text: unknown, name: string, type: LookupType, key: string): Stored | undefined {
  if (typeof text !== "string" || text.length > MAX_VALUE_LENGTH) return undefined;
  const envelope = JSON.parse(text) as Partial<Envelope> | null;
  if (envelope?.v !== VERSION || envelope.k !== name || typeof envelope.t !== "number") {
    return undefined;
  }
  const ttlMs = envelope.t - Date.now();
  if (!(ttlMs > 0)) return undefined;
  const stored: unknown = envelope.a;
  const hasIdentifier =
    typeof stored === "object" && stored !== null && Object.hasOwn(stored, type);
  const assessment = hasIdentifier ? { ...stored, [type]: key } : stored;
  if (assessmentProblem(assessment, type, key) !== undefined) return undefined;
  return { assessment: sealJson(assessment as Assessment), ttlMs };
}
