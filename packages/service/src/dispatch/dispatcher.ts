import { randomBytes } from "node:crypto";
import { RiskGateError } from "@riskgate/core";
import type { StoredDelivery } from "../storage/deliveries.js";
import { type Clock, epochMsOf, systemClock } from "../storage/instant.js";
import type { Storage } from "../storage/storage.js";
import { AttemptRecorder } from "./attempt-recorder.js";
import type { DispatchContext } from "./dispatch-context.js";
import type { DispatchNotice } from "./dispatch-notice.js";
import { type DispatchSettings, resolveDispatchSettings } from "./dispatch-settings.js";
import { Lane } from "./lane.js";
import { isReceiving } from "./receiving-application.js";
import { testPayload } from "./test-payload.js";
import { createWakeTimer } from "./wake-timer.js";

/** Sends what waits in the outbox, and again what failed. */
export interface Dispatcher {
  /** Tell that something was queued. Without it, the dispatcher looks once a minute. */
  wake(): void;
  /** Send a finished delivery again, byte for byte; undefined where there is none. */
  retry(deliveryId: string): Promise<StoredDelivery | undefined>;
  /**
   * Queue a test payload.
   *
   * @returns Its id.
   * @throws {RiskGateError} CONFIG_INVALID when the application does not take one.
   */
  sendTest(applicationId: string): Promise<string>;
  /** Stop: attempts under way may end, everything else stays stored for the next start. */
  close(): Promise<void>;
}

/** Options of {@link createDispatcher}. */
export interface DispatcherOptions {
  readonly storage: Storage;
  readonly settings?: Partial<DispatchSettings>;
  readonly clock?: Clock;
  /** Told what happens; what it throws is ignored. */
  readonly onNotice?: (notice: DispatchNotice) => void;
}

/** Longest sleep: a clock that was set, or a call of `wake` that was missed, costs no more. */
const MAX_SLEEP_MS = 60_000;

/** Pause after the storage failed. */
const STALL_MS = 1_000;

/**
 * Start to send.
 *
 * @throws {RiskGateError} CONFIG_INVALID for settings that cannot be.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { storage, clock = systemClock, onNotice } = options;
  const settings = resolveDispatchSettings(options.settings);
  const lanes = new Map<string, Lane>();
  let closing: Promise<void> | undefined;

  const notify = (notice: DispatchNotice): void => {
    try {
      onNotice?.(notice);
    } catch {
      // Deliveries do not depend on who listens.
    }
  };
  const stall = (error: RiskGateError): void => {
    notify({ type: "stalled", error });
    timer.hold(STALL_MS);
  };
  const laneOf = (applicationId: string): Lane => {
    let lane = lanes.get(applicationId);
    if (!lane) lanes.set(applicationId, (lane = new Lane(applicationId, context)));
    return lane;
  };

  /** Look at the queues, give every lane its turn, and tell when to look again. */
  const sweep = async (): Promise<number> => {
    const now = clock();
    let nextAt = Infinity;
    const turnAt = (at: number, lane: Lane, isPackDue: boolean): void => {
      if (at <= now) lane.turn(isPackDue);
      else nextAt = Math.min(nextAt, at);
    };
    for (const backlog of await storage.outbox.backlog()) {
      const lane = laneOf(backlog.applicationId);
      turnAt(lane.packAt(backlog), lane, true);
    }
    for (const { applicationId, nextAttemptAt } of await storage.deliveries.schedule()) {
      const lane = laneOf(applicationId);
      // A lane without room comes back by itself.
      if (lane.hasRoom) turnAt(nextAttemptAt, lane, false);
    }
    return Math.min(epochMsOf(nextAt - now), MAX_SLEEP_MS);
  };
  const timer = createWakeTimer(sweep, stall);
  const recorder = new AttemptRecorder({
    storage,
    clock,
    disableAfterMs: settings.disableAfterMs,
    notify,
    onScheduled: timer.wake,
    onRecovered: () => lanes.forEach((lane) => lane.turn(false)),
  });
  const context: DispatchContext = {
    storage,
    settings,
    clock,
    notify,
    recorder,
    sweep: timer.wake,
    stall,
  };
  timer.wake();

  return {
    wake: timer.wake,

    async retry(deliveryId) {
      const delivery = await storage.deliveries.retry(deliveryId);
      timer.wake();
      return delivery;
    },

    async sendTest(applicationId) {
      const application = await storage.applications.get(applicationId);
      if (!isReceiving(application)) throw refusal("an enabled application with a webhook URL");
      if (!application.payloadTypes.includes("test")) {
        throw refusal("an application whose payload types include test");
      }
      const id = randomBytes(16).toString("hex");
      const payload = testPayload(application, id, clock());
      await storage.outbox.add(applicationId, [{ type: "test", payload }]);
      timer.wake();
      return id;
    },

    close() {
      closing ??= (async () => {
        await timer.close();
        await Promise.all([...lanes.values()].map((lane) => lane.close()));
        await recorder.close();
      })();
      return closing;
    },
  };
}

function refusal(expected: string): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", `a test payload needs ${expected}`, {
    hint: "Change the settings of the application, then ask again",
  });
}
