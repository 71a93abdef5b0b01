import { onTestFinished } from "vitest";
import type { DispatchNotice } from "../../src/dispatch/dispatch-notice.js";
import type { DeliverySettings } from "../../src/dispatch/delivery-settings.js";
import {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
} from "../../src/dispatch/dispatcher.js";
import type { Application, ApplicationSettings } from "../../src/model/application.js";
import type { Storage } from "../../src/storage/storage.js";
import { storagePlace } from "./temporary-storage.js";

export const SECRET = "hook-secret-1";

/** Storage in a directory of its own, with a clock that stands still until it is put forward. */
export interface DispatchRoom {
  readonly storage: Storage;
  /** Now, in microseconds. */
  readonly clock: () => number;
  advance(ms: number): void;
  /** Set the clock forward, or back, while no time passes. */
  setClock(byMs: number): void;
  readonly notices: readonly DispatchNotice[];
  /** Start a dispatcher that gathers nothing and waits long for answers. */
  start(settings?: Partial<DeliverySettings>, options?: Partial<DispatcherOptions>): Dispatcher;
  addApplication(settings: Partial<ApplicationSettings>): Promise<Application>;
  /** Queue security events with these ids. */
  queue(application: Application, ids: readonly string[], padBytes?: number): Promise<void>;
}

/** Open everything; closed when the test ends. */
export async function openDispatchRoom(): Promise<DispatchRoom> {
  const place = await storagePlace();
  const startMs = Date.now();
  let passedMs = 0;
  let setByMs = 0;
  const clock = (): number => Math.round((startMs + passedMs + setByMs) * 1000);
  const nowMs = (): number => passedMs;
  const storage = await place.open({ clock, nowMs });
  const notices: DispatchNotice[] = [];
  const dispatchers: Dispatcher[] = [];
  onTestFinished(async () => {
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));
    await storage.close();
  });
  return {
    storage,
    clock,
    advance: (ms) => void (passedMs += ms),
    setClock: (byMs) => void (setByMs += byMs),
    notices,
    start(settings, options) {
      const dispatcher = createDispatcher({
        storage,
        clock,
        nowMs,
        settings: { maxWaitMs: 0, timeoutMs: 60_000, closeGraceMs: 100, ...settings },
        onNotice: (notice) => void notices.push(notice),
        ...options,
      });
      dispatchers.push(dispatcher);
      return dispatcher;
    },
    async addApplication(settings) {
      const application = await storage.applications.create({
        name: "Shop",
        allowedDestinations: ["127.0.0.0/8"],
        ...settings,
      });
      await storage.applications.rotateSecret(application.id, { value: SECRET });
      return application;
    },
    async queue(application, ids, padBytes = 0) {
      const humanized_description = "x".repeat(padBytes);
      const payloads = ids.map((event_id) => ({
        type: "security_event" as const,
        payload: {
          service_payload_type: "security_event",
          event_id,
          event_kind: "auth_bruteforce",
          humanized_description,
        },
      }));
      // Small enough that no statement reaches its time limit.
      for (let from = 0; from < payloads.length; from += 100) {
        await storage.outbox.add(application.id, payloads.slice(from, from + 100));
      }
    },
  };
}

/** "e0", "e1" and so on. */
export function eventIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `e${index}`);
}
