import { RiskGateError } from "@riskgate/core";
import type { Clock, Instant } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import type { AllowList } from "./allow-list.js";
import { type Block, blocksIn, targetsOf } from "./blocks.js";

export interface BlockPage {
  readonly cursor: string;
  /** True if the pages contain all blocks in force. */
  readonly isComplete: boolean;
  /** True if another page follows at once. */
  readonly more: boolean;
  readonly blocks: readonly (Pick<Block, "type" | "target"> & { readonly forMs: number })[];
}

/** Provides the blocks in force of an application, then the changes. */
export interface BlockSource {
  /**
   * @param cursor Of the last page; undefined for the blocks in force.
   * @param waitMs How long to wait for a change.
   * @throws {RiskGateError} INVALID_ARGUMENT for a cursor that is not one; STORE_FAILED
   */
  read(
    applicationId: string,
    cursor: string | undefined,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<BlockPage>;
}

/** Position of a reader: after all responses up to `seq`, or within those up to it. */
interface Place {
  readonly kind: "after" | "all" | "since";
  readonly seq: number;
  /** Start of the pages: a time for `all`, a response for `since`. */
  readonly from: number;
  readonly offset: number;
  readonly version: string;
}

/** A page of these is smaller than what a client reads at once. */
const PAGE = 700;

/** Responses that are read at once. */
const MAX_RESPONSES = 500;

/** Interval at which waiting readers look for responses, also of other processes. */
const POLL_MS = 500;

export function createBlockSource(
  storage: Pick<Storage, "playbooks">,
  clock: Clock,
  allowList: AllowList,
): BlockSource {
  const { playbooks } = storage;
  const waiting = createPolling(() => playbooks.lastResponse());

  const entryOf = (block: Block, now: Instant): BlockPage["blocks"][number] => {
    const { type, target, until } = block;
    const isAllowed = allowList.covers(type, target);
    return { type, target, forMs: isAllowed ? 0 : Math.max(0, Math.ceil((until - now) / 1_000)) };
  };

  const pageOf = (place: Place, blocks: readonly Block[]): BlockPage => {
    const { kind, seq, offset, version } = place;
    const end = offset + PAGE;
    const more = blocks.length > end;
    const now = clock();
    return {
      cursor: textOf(
        more ? { ...place, offset: end } : { kind: "after", seq, from: 0, offset: 0, version },
      ),
      isComplete: kind === "all",
      more,
      blocks: blocks.slice(offset, end).map((block) => entryOf(block, now)),
    };
  };

  const all = async (applicationId: string, place: Place): Promise<BlockPage> =>
    // By the time of the first page, so that all pages are of one list.
    pageOf(
      place,
      blocksIn(await playbooks.responsesInEffect(place.from, applicationId), place.from),
    );

  const since = async (applicationId: string, given: Place): Promise<BlockPage> => {
    const { from, seq: end } = given;
    const found = await playbooks.responsesBetween(applicationId, from, end, MAX_RESPONSES);
    // If there are too many, those after the last one follow with the next call.
    const seq = found.length === MAX_RESPONSES ? found.at(-1)!.seq : end;
    return pageOf(
      { ...given, seq },
      found.flatMap(({ response }) => targetsOf(response)),
    );
  };

  return {
    async read(applicationId, cursor, waitMs, signal) {
      const version = allowList.version();
      const place = cursor === undefined ? undefined : placeIn(cursor);
      if (!place || place.version !== version) {
        const seq = await playbooks.lastResponse();
        return all(applicationId, { kind: "all", seq, from: clock(), offset: 0, version });
      }
      if (place.kind === "all") return all(applicationId, place);
      if (place.kind === "since") return since(applicationId, place);
      const endMs = performance.now() + waitMs;
      let { seq } = place;
      for (;;) {
        const last = await waiting.until(seq, endMs - performance.now(), signal);
        if (last > seq) {
          const from = { ...place, kind: "since" as const, from: seq, seq: last, offset: 0 };
          const page = await since(applicationId, from);
          if (page.blocks.length > 0) return page;
          seq = last;
        }
        const isOver = performance.now() >= endMs || signal.aborted;
        if (isOver || allowList.version() !== version) {
          return pageOf({ ...place, seq }, []);
        }
      }
    },
  };
}

function textOf({ kind, seq, from, offset, version }: Place): string {
  return [kind, seq, from, offset, version].join(".");
}

function placeIn(cursor: string): Place {
  const [, kind, seq, from, offset, version = ""] =
    /^(after|all|since)\.(\d{1,16})\.(\d{1,16})\.(\d{1,9})\.([\w-]{8})$/.exec(cursor) ?? [];
  if (kind === undefined) {
    throw new RiskGateError("INVALID_ARGUMENT", "`cursor` is not one of this service", {
      hint: "Leave it out to receive the blocks in force",
    });
  }
  return {
    kind: kind as Place["kind"],
    seq: Number(seq),
    from: Number(from),
    offset: Number(offset),
    version,
  };
}

interface Polling {
  /** Resolves with the last number once it exceeds one, or when the time is over. */
  until(this: void, above: number, waitMs: number, signal: AbortSignal): Promise<number>;
}

/** Creates a poll that runs while anybody waits, once for all of them. */
function createPolling(read: () => Promise<number>): Polling {
  let next: Promise<number> | undefined;
  const later = (): Promise<number> =>
    (next ??= new Promise<void>((resolve) => {
      setTimeout(resolve, POLL_MS).unref();
    }).then(() => {
      next = undefined;
      return read();
    }));
  return {
    async until(above, waitMs, signal) {
      const endMs = performance.now() + waitMs;
      let last = await read();
      while (last <= above && performance.now() < endMs && !signal.aborted) last = await later();
      return last;
    },
  };
}
