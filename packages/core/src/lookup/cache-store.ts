import type { Assessment, LookupType } from "../model/assessment.js";
import { assessmentProblem, sealJson } from "./assessment-check.js";
import { limitTime } from "../base/time-limit.js";
import { sha256 } from "../base/platform.js";
import { MAX_ANSWER_BYTES } from "./transport.js";

/**
 * Second cache level, shared by several processes: texts with an expiry. A store error counts as a
 * miss: no lookup fails because of it, or waits longer than `readTimeoutMs`.
 */
export interface CacheStore {
  /** How long a lookup waits for `get`, in milliseconds, before a miss; default 100. */
  readonly readTimeoutMs?: number;
  /** Returns the text stored under this key, or undefined. Keys are 64 lowercase hex digits. */
  get(key: string): Promise<string | undefined>;
  /** Stores `value` for `ttlMs`, a whole number above 0. Must set value and expiry atomically. */
  set(key: string, value: string, ttlMs: number): Promise<void>;
}

interface Stored {
  readonly assessment: Assessment;
  /** Remaining time for which it is fresh. */
  readonly ttlMs: number;
}

export interface SharedCache {
  /** Never rejects. */
  read(type: LookupType, key: string): Promise<Stored | undefined>;
  write(type: LookupType, key: string, assessment: Assessment, ttlMs: number): void;
}

interface Envelope {
  readonly v: number;
  /** The key, so that a value found under a different key is ignored. */
  readonly k: string;
  /** Expiry as time of day, the only clock that several machines share. */
  readonly t: number;
  /** The assessment, without the identifier. */
  readonly a: Assessment;
}

const VERSION = 1;
const READ_TIMEOUT_MS = 100;

/** The largest response, re-serialized with escapes, in its envelope. */
const MAX_VALUE_LENGTH = 2 * MAX_ANSWER_BYTES;

/**
 * Creates a shared cache for one service and API key.
 *
 * @param scope Base URL and API key. Clients share entries only if both are equal.
 */
export function createSharedCache(store: CacheStore, scope: readonly string[]): SharedCache {
  const { readTimeoutMs = READ_TIMEOUT_MS } = store;
  // The digest includes the API key, so that the keys do not reveal which addresses were looked up,
  // even to someone who can guess them.
  const storeKey = (type: LookupType, key: string) =>
    sha256(JSON.stringify([VERSION, type, ...scope, key]), "hex");

  const get = async (type: LookupType, key: string): Promise<Stored | undefined> => {
    try {
      const name = await storeKey(type, key);
      return open(await store.get(name), name, type, key);
    } catch {
      // The store failed, or the value is not JSON: a miss either way.
      return undefined;
    }
  };

  return {
    read: (type, key) => limitTime(get(type, key), readTimeoutMs, () => undefined),

    write(type, key, assessment, ttlMs) {
      if (ttlMs <= 0) return;
      const put = async (): Promise<void> => {
        const name = await storeKey(type, key);
        const a = Object.hasOwn(assessment, type) ? { ...assessment, [type]: "" } : assessment;
        const envelope: Envelope = { v: VERSION, k: name, t: Date.now() + ttlMs, a };
        await store.set(name, JSON.stringify(envelope), Math.ceil(ttlMs));
      };
      // The caller already has its result. A failed write only costs another call later.
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
