import { isRiskGateError } from "@riskgate/core";
import type { Ownership } from "../ownership/ownership.js";
import { type ApplicationState, loadState } from "./application-state.js";
import { type BatchParts, type BatchResult, createBatches } from "./batches.js";
import { createRecentEvents, type RecentEvents } from "./recent-events.js";
import { letRequestsRun } from "../base/let-requests-run.js";
import { createProgress } from "../base/progress.js";
import { createWorkQueue } from "../base/work-queue.js";

/** Evaluates the logs of the applications that this process owns, one batch at a time. */
export interface Detector {
  /** Notifies the detector of new entries. */
  wake(applicationId: string): void;
  /** Hands over events of an owned application, which were just appended. */
  readonly recent: Pick<RecentEvents, "add">;
  /** Looks for entries that other processes appended. */
  poll(): Promise<void>;
  /** Begins to end quiet incidents of all owned applications. */
  sweep(): Promise<void>;
  /** Resolves once the log has been evaluated up to an entry; with false if that takes too long. */
  reached(applicationId: string, seq: number, waitMs: number): Promise<boolean>;
  /** Ends the batch under way, and forgets the applications that are no longer owned. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export interface DetectorParts extends Omit<BatchParts, "recent"> {
  readonly ownership: Pick<Ownership, "holds" | "partitions">;
  readonly nowMs: () => number;
}

type Task = "batch" | "sweep";

export function createDetector(parts: DetectorParts): Detector {
  const { storage, ownership, bounds, nowMs, onError } = parts;
  const recent = createRecentEvents();
  const batches = createBatches({ ...parts, recent });
  const states = new Map<string, ApplicationState>();
  const progress = createProgress();
  let isClosed = false;

  const forget = (applicationId: string): void => {
    states.delete(applicationId);
    recent.forget(applicationId);
  };

  const after = (applicationId: string, result: BatchResult): BatchResult => {
    if (result === "outdated") forget(applicationId);
    return result;
  };

  const stateOf = async (applicationId: string): Promise<ApplicationState> => {
    const known = states.get(applicationId);
    if (known) return known;
    const state = await loadState(storage, applicationId, bounds, nowMs);
    states.set(applicationId, state);
    // Ends incidents that went quiet without an owner, before anything is added to them.
    while (after(applicationId, await batches.sweep(applicationId, state)) === "done") {
      await letRequestsRun();
    }
    return state;
  };

  const runOne = async (applicationId: string, tasks: ReadonlySet<Task>): Promise<void> => {
    if (!ownership.holds(applicationId)) return forget(applicationId);
    const state = await stateOf(applicationId);
    if (tasks.has("sweep")) {
      const result = after(applicationId, await batches.sweep(applicationId, state));
      if (result === "done") void queue.plan(applicationId, "sweep");
    }
    if (!tasks.has("batch")) return;
    const result = after(applicationId, await batches.next(applicationId, state));
    if (result !== "nothing") void queue.plan(applicationId, "batch");
  };

  const queue = createWorkQueue<Task>(
    (applicationId, tasks) => runOne(applicationId, tasks).finally(() => progress.notify()),
    (applicationId, error) => {
      forget(applicationId);
      if (!isRiskGateError(error) || error.code !== "STORE_FAILED") onError(error);
    },
  );

  return {
    recent,
    wake: (applicationId) => void queue.plan(applicationId, "batch"),
    async poll() {
      const owned = ownership.partitions();
      for (const { applicationId } of await storage.log.lag(owned)) {
        void queue.plan(applicationId, "batch");
      }
    },
    async sweep() {
      const open = await storage.incidents.applicationsWithOpen();
      const owned = open.filter((id) => ownership.holds(id));
      await Promise.all(owned.map((id) => queue.plan(id, "sweep")));
    },
    reached: (applicationId, seq, waitMs) =>
      progress.until(
        async () => isClosed || (await storage.log.position(applicationId, "detection")) >= seq,
        waitMs,
      ),
    async release() {
      await queue.current();
      for (const id of states.keys()) if (!ownership.holds(id)) forget(id);
    },
    async close() {
      isClosed = true;
      await queue.close();
    },
  };
}
