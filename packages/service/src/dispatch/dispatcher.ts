import type { Instant } from "../model/instant.js";
import { randomBytes } from "node:crypto";
import { RiskGateError } from "@riskgate/core";
import { testPayload } from "@riskgate/core/internal";
import { isWanted } from "../detection/events/wanted-payload.js";
import type { StoredDelivery } from "../model/delivery.js";
import { type Clock, epochMsOf } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import { ApplicationQueue } from "./application-queue.js";
import { AttemptRecorder } from "./attempt-recorder.js";
import { createClockWatch } from "./clock-watch.js";
import { defaultDeliverySettings, type DeliverySettings } from "./delivery-settings.js";
import type { Listener } from "./destination-rule.js";
import type { DispatchContext } from "./dispatch-context.js";
import type { DispatchNotice } from "./dispatch-notice.js";
import { type Ownership, WHOLE } from "../ownership/ownership.js";
import { createWakeTimer } from "./wake-timer.js";

/** Sends the payloads in the outbox, and retries failed deliveries. */
export interface Dispatcher {
  /** Notifies the dispatcher of a new payload. Without this call it checks once a minute. */
  wake(): void;
  /** Sends a delivery now, even a finished one, byte for byte; undefined for an unknown id. */
  retry(deliveryId: string): Promise<StoredDelivery | undefined>;
  /**
   * Queues a test payload.
   *
   * @returns The id of the payload.
   * @throws {RiskGateError} CONFIG_INVALID if the application does not receive test payloads.
   */
  sendTest(applicationId: string): Promise<string>;
  /** Stops: running attempts may finish, and everything else remains stored for the next start. */
  close(): Promise<void>;
}

export interface DispatcherOptions {
  readonly storage: Storage;
  /** The applications for which this process sends; default all. */
  readonly ownership?: Pick<Ownership, "holds" | "partitions" | "onRelease" | "onTaken">;
  readonly settings?: Partial<DeliverySettings>;
  readonly clock?: Clock;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  readonly nowMs?: () => number;
  /** Returns a number from 0 to below 1 to spread the retries. Default `Math.random`. */
  readonly random?: () => number;
  /** Returns the sockets on which this process listens: nothing is sent to them. */
  readonly listeners?: () => readonly Listener[];
  /** Receives notices; its errors are ignored. */
  readonly onNotice?: (notice: DispatchNotice) => void;
}

/** Maximum pause between two passes, and so the maximum delay by a clock change or a missed `wake`. */
const MAX_SLEEP_MS = 60_000;

const STALL_MS = 1_000;

/** Creates a dispatcher, which starts sending immediately. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { storage, random = Math.random, listeners = () => [], ownership = WHOLE } = options;
  const { clock = storage.clock, nowMs = () => performance.now() } = options;
  const settings = { ...defaultDeliverySettings(), ...options.settings };
  const clockSetBy = createClockWatch(clock, nowMs);
  const queues = new Map<string, ApplicationQueue>();
  let closing: Promise<void> | undefined;

  const notify = (notice: DispatchNotice): void => {
    try {
      options.onNotice?.(notice);
    } catch {
      // Deliveries do not depend on the listener.
    }
  };
  const stall = (error: RiskGateError): void => {
    notify({ type: "stalled", error });
    timer.hold(STALL_MS);
  };
  const queueOf = (applicationId: string): ApplicationQueue => {
    let queue = queues.get(applicationId);
    if (!queue) queues.set(applicationId, (queue = new ApplicationQueue(applicationId, context)));
    return queue;
  };

  const runDue = async (): Promise<number> => {
    const setBy = clockSetBy();
    if (setBy !== 0) await storage.followClock(setBy);
    const now = clock();
    return Math.min(await runQueues(storage, ownership, queueOf, now), MAX_SLEEP_MS);
  };
  const timer = createWakeTimer(runDue, stall);
  const shared = { storage, clock, nowMs, notify, holds: ownership.holds };
  const recorder = new AttemptRecorder({
    ...shared,
    disableAfterMs: settings.disableAfterMs,
    onScheduled: timer.wake,
    onRecovered: () => queues.forEach((queue) => queue.run(false)),
  });
  const { wake: sweep } = timer;
  const context: DispatchContext = {
    ...shared,
    settings,
    random,
    listeners,
    recorder,
    sweep,
    stall,
  };
  ownership.onRelease(() => endAttempts(queues, ownership.holds, recorder));
  ownership.onTaken(timer.wake);
  timer.wake();

  return {
    wake: timer.wake,

    async retry(deliveryId) {
      const delivery = await storage.deliveries.retry(deliveryId);
      timer.wake();
      return delivery;
    },

    async sendTest(applicationId) {
      const id = await queueTest(storage, applicationId, clock());
      timer.wake();
      return id;
    },

    close() {
      closing ??= (async () => {
        await timer.close();
        await Promise.all([...queues.values()].map((queue) => queue.close()));
        await recorder.close();
      })();
      return closing;
    },
  };
}

/** Ends the attempts of applications that go to another process, which would repeat them. */
async function endAttempts(
  queues: ReadonlyMap<string, ApplicationQueue>,
  holds: (applicationId: string) => boolean,
  recorder: AttemptRecorder,
): Promise<void> {
  for (const [id, queue] of queues) if (!holds(id)) await queue.settle();
  await recorder.flush();
}

/** Runs the queues that are due, and returns the milliseconds until the next one is. */
async function runQueues(
  storage: Storage,
  { holds, partitions }: Pick<Ownership, "holds" | "partitions">,
  queueOf: (applicationId: string) => ApplicationQueue,
  now: Instant,
): Promise<number> {
  let nextMs = Infinity;
  const runIn = (waitMs: number, queue: ApplicationQueue, isPackDue: boolean): void => {
    if (waitMs <= 0) queue.run(isPackDue);
    else nextMs = Math.min(nextMs, waitMs);
  };
  const owned = partitions();
  const backlogs = await storage.outbox.backlog(owned);
  const schedule = await storage.deliveries.schedule(owned);
  for (const backlog of backlogs) {
    if (!holds(backlog.applicationId)) continue;
    const queue = queueOf(backlog.applicationId);
    runIn(queue.packInMs(backlog, now), queue, true);
  }
  for (const { applicationId, nextAttemptAt } of schedule) {
    if (!holds(applicationId)) continue;
    const queue = queueOf(applicationId);
    // A queue at its concurrency limit runs again when an attempt ends.
    if (!queue.hasRoom) continue;
    runIn(Math.max(epochMsOf(nextAttemptAt - now), queue.limitedMs), queue, false);
  }
  return nextMs;
}

async function queueTest(storage: Storage, applicationId: string, now: Instant): Promise<string> {
  const application = await storage.applications.get(applicationId);
  if (!application || !isWanted(application, { type: "test" })) {
    throw new RiskGateError("CONFIG_INVALID", "the application does not receive test payloads", {
      hint: "Set a webhook URL, enable the application, and add `test` to its payload types",
    });
  }
  const id = randomBytes(16).toString("hex");
  const payload = testPayload(application, id, now);
  await storage.outbox.add(applicationId, [{ type: "test", payload }]);
  return id;
}
