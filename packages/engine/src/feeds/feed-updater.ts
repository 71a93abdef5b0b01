import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { hookError } from "@riskgate/core/internal";
import { readOptions } from "@riskgate/core/adapter";
import { withDeadline } from "./deadline.js";
import { checkList } from "./feed-check.js";
import { FeedCopy, type FeedRecord, sha256 } from "./feed-copy.js";
import { downloadFeed, type FeedDownload } from "./feed-download.js";
import type { FeedKind, FeedOptions } from "./feed-options.js";
import type { FeedOutcome, FeedProgress } from "./feed-progress.js";
import { type FeedSource, resolveSources, type ResolvedSource } from "./feed-source.js";

export interface FeedUpdaterOptions {
  readonly dir: string;
  readonly feeds: readonly FeedSource[];
  /** Time limit for one list, in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** Largest share of its entries that a list may lose at once, 0 to 1; default 0.5. */
  readonly maxShrink?: number;
  /**
   * Largest increase in a list's coverage, as a share; default 1, so that it may double. A list may
   * always add 65,536 addresses, a /32 of IPv6 and 10,000 domains.
   */
  readonly maxGrowth?: number;
  /** Allow `http:` URLs for other machines; default false. */
  readonly allowHttp?: boolean;
  readonly onProgress?: (progress: FeedProgress) => void;
  /**
   * Sends the requests instead of the updater, for example through a proxy. It must check
   * certificates and redirect targets: the updater then only checks IP addresses in URLs.
   */
  readonly fetch?: typeof globalThis.fetch;
  /** Time of day in milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

export interface FeedStatus {
  readonly name: string;
  readonly kind: FeedKind;
  readonly path: string;
  /** When the list was received, in Unix milliseconds; absent without a copy. */
  readonly fetchedAtMs?: number;
  /** When its server last confirmed that it is current, in Unix milliseconds. */
  readonly checkedAtMs?: number;
  readonly entries?: number;
}

/** Keeps copies of published lists up to date. */
export interface FeedUpdater {
  /** The copies as engine feeds; missing ones count as empty. */
  readonly feeds: readonly FeedOptions[];
  /**
   * Requests every list, and replaces each copy whose list has changed and passes the check. An
   * engine loads the new copies on `reload`. Calls during an update share it, and its options.
   *
   * @param options.maxAgeMs Skip copies checked within this time, in milliseconds, so that
   * processes sharing a directory request each list once; default 0.
   * @returns One outcome per feed, in order; a list that fails the check is rejected without
   * affecting others.
   * @throws {RiskGateError} HOOK_FAILED if `onProgress` threw, once all feeds are done.
   */
  update(options?: {
    readonly signal?: AbortSignal;
    readonly maxAgeMs?: number;
  }): Promise<FeedOutcome[]>;
  status(): Promise<FeedStatus[]>;
}

const CONCURRENCY = 4;

/**
 * Creates a feed updater. It has no schedule: the caller decides when to update.
 *
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function createFeedUpdater(options: FeedUpdaterOptions): FeedUpdater {
  const settings = resolve(options);
  const copies = settings.feeds.map((source) => ({
    source,
    copy: new FeedCopy(settings.dir, source.name),
  }));
  let updating: Promise<FeedOutcome[]> | undefined;

  const update = async (
    signal: AbortSignal | undefined,
    maxAgeMs: number,
  ): Promise<FeedOutcome[]> => {
    const outcomes: FeedOutcome[] = [];
    const thrown: unknown[] = [];
    const report = (progress: FeedProgress): void => {
      try {
        settings.onProgress?.(progress);
      } catch (error) {
        thrown.push(error);
      }
    };
    // All workers share this iterator.
    const queue = copies.entries();
    const work = async (): Promise<void> => {
      for (const [index, { source, copy }] of queue) {
        const { name } = source;
        report({ name, state: "started" });
        const outcome = await refresh(source, copy, settings, { signal, maxAgeMs, report }).catch(
          (error: unknown): FeedOutcome => ({ name, state: "refused", error: errorOf(error) }),
        );
        outcomes[index] = outcome;
        report(outcome);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (thrown.length === 0) return outcomes;
    throw hookError("`onProgress`", thrown[0]);
  };

  return {
    feeds: copies.map(({ source, copy }) => ({
      kind: source.kind,
      path: copy.path,
      name: source.name,
      source: source.source,
      optional: true,
      ...(source.licence !== undefined && { licence: source.licence }),
    })),
    update({ signal, maxAgeMs = 0 } = {}) {
      updating ??= update(signal, maxAgeMs).finally(() => {
        updating = undefined;
      });
      return updating;
    },
    status: () =>
      Promise.all(
        copies.map(async ({ source: { name, kind }, copy }) => {
          const { fetchedAtMs, checkedAtMs, entries } = (await copy.record()) ?? {};
          const known = fetchedAtMs !== undefined && { fetchedAtMs, checkedAtMs, entries };
          return { name, kind, path: copy.path, ...known } as FeedStatus;
        }),
      ),
  };
}

interface Update {
  readonly signal: AbortSignal | undefined;
  readonly maxAgeMs: number;
  readonly report: (progress: FeedProgress) => void;
}

async function refresh(
  source: ResolvedSource,
  copy: FeedCopy,
  { timeoutMs, maxShrink, maxGrowth, fetch, now }: Settings,
  { signal, maxAgeMs, report }: Update,
): Promise<FeedOutcome> {
  const { name, url, maxBytes } = source;
  const urlSha256 = sha256(url);
  const before = await copy.record();
  const isSameUrl = before?.urlSha256 === urlSha256;
  if (isSameUrl && Math.abs(now() - before.checkedAtMs) < maxAgeMs) {
    return { name, state: "unchanged", entries: before.entries };
  }
  const received = await withDeadline({ timeoutMs, signal }, (ended) =>
    downloadFeed({
      url,
      maxBytes,
      ...(fetch && { fetch }),
      signal: ended,
      ...(isSameUrl && validatorsOf(before)),
      onBytes: (bytes) => report({ name, state: "receiving", bytes }),
    }),
  );
  const checkedAtMs = now();
  if (received === undefined) {
    await copy.confirm({ ...before!, checkedAtMs });
    return { name, state: "unchanged", entries: before!.entries };
  }
  const { body } = received;
  const digest = sha256(body);
  const isSame = before?.sha256 === digest;
  const previous = before && { entries: before.entries, list: await copy.list() };
  const record: FeedRecord = {
    sha256: digest,
    urlSha256,
    ...validatorsOf(received),
    fetchedAtMs: isSame ? before.fetchedAtMs : checkedAtMs,
    checkedAtMs,
    entries: isSame
      ? before.entries
      : await checkList(source, body, { previous, maxShrink, maxGrowth }),
  };
  if (isSame) {
    await copy.confirm(record);
    return { name, state: "unchanged", entries: record.entries };
  }
  await copy.replace(body, record);
  return { name, state: "updated", entries: record.entries, bytes: body.length };
}

function validatorsOf({
  etag,
  lastModified,
}: Pick<FeedDownload, "etag" | "lastModified">): Pick<FeedRecord, "etag" | "lastModified"> {
  return {
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  };
}

/** Converts a request error, without the URL, which may contain a licence key. */
function errorOf(thrown: unknown): RiskGateError {
  if (isRiskGateError(thrown)) return thrown;
  let inner = thrown;
  while (inner instanceof Error && inner.cause instanceof Error && !("code" in inner)) {
    inner = inner.cause;
  }
  const code = (inner as { code?: unknown } | null)?.code;
  const reason = typeof code === "string" ? code : "the connection failed";
  return new RiskGateError("NETWORK", `the list was not received: ${reason}`, {
    hint: "Check the URL of the feed, the network and the certificate of its server",
  });
}

type Settings = Required<Omit<FeedUpdaterOptions, "feeds" | "fetch" | "onProgress">> & {
  readonly feeds: readonly ResolvedSource[];
  readonly fetch: FeedUpdaterOptions["fetch"];
  readonly onProgress: FeedUpdaterOptions["onProgress"];
};

function resolve(given: FeedUpdaterOptions): Settings {
  return readOptions("createFeedUpdater", given, (options) => {
    const allowHttp = options.boolean("allowHttp", false);
    return {
      dir:
        options.string("dir") ||
        options.refuse("dir", "the path of a directory", options.value("dir")),
      feeds: resolveSources(options, allowHttp),
      timeoutMs: options.durationMs("timeoutMs", 60_000),
      maxShrink: options.number("maxShrink", 0.5, { min: 0, max: 1 }),
      maxGrowth: options.number("maxGrowth", 1, { min: 0 }),
      allowHttp,
      onProgress: options.function<(progress: FeedProgress) => void>("onProgress"),
      fetch: options.function<typeof globalThis.fetch>("fetch"),
      now: options.function<() => number>("now") ?? Date.now,
    };
  });
}
