import { Resolver } from "node:dns/promises";
import { createSemaphore, limitTime, startDeadline } from "@riskgate/core/internal";
import { LRUCache } from "lru-cache";
import { askMailState, type MailState } from "./mail-state.js";
import type { MxSettings } from "./mx-options.js";

/** Queries DNS for whether domains receive mail, and caches the results. */
export interface MxCheck {
  /** Returns the result from memory; undefined if DNS must be queried. */
  peek(domain: string): MailState | undefined;
  /**
   * Queries DNS unless the result is cached; concurrent queries for a domain share one. Never
   * rejects.
   * @param waitMs Maximum wait: the result is then `unknown`, and the real one is cached when it
   * arrives.
   */
  ask(domain: string, waitMs: number): Promise<MailState>;
  /** Resolves pending queries to `unknown`, and clears the cache. */
  close(): void;
}

/** How long a server that did not respond is not queried again about a domain. */
const UNKNOWN_MS = 10_000;

/** A server is queried again after a third of the time, and then has twice as long to respond. */
const TRIES = 2;

/** Creates a check; DNS is not queried before the first call. */
export function createMxCheck(settings: MxSettings): MxCheck {
  const { timeoutMs, cacheSize, ttlMs, concurrency, servers } = settings;
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: TRIES });
  if (servers) resolver.setServers(servers);
  const states = new LRUCache<string, MailState>({ max: cacheSize, ttl: ttlMs });
  const underWay = new Map<string, Promise<MailState>>();
  const places = createSemaphore(concurrency);
  let isClosed = false;

  const keep = (domain: string, state: MailState): void => {
    if (isClosed) return;
    states.set(domain, state, { ttl: state === "unknown" ? Math.min(ttlMs, UNKNOWN_MS) : ttlMs });
  };
  /** The slot is occupied until DNS responds, even if callers stop waiting. */
  const start = (domain: string): Promise<MailState> =>
    new Promise((resolve) => {
      const end = (state: MailState): void => {
        stop();
        underWay.delete(domain);
        keep(domain, state);
        resolve(state);
      };
      const leave = places.acquire(() => {
        void askMailState(resolver, domain).then((state) => {
          places.release();
          end(state);
        });
      });
      const expire = (): void => {
        leave();
        end("unknown");
      };
      const stop = startDeadline(timeoutMs, expire, true);
    });

  return {
    peek: (domain) => states.get(domain),
    ask(domain, waitMs) {
      const known = states.get(domain);
      if (known || isClosed) return Promise.resolve(known ?? "unknown");
      let question = underWay.get(domain);
      if (!question) {
        question = start(domain);
        underWay.set(domain, question);
      }
      return waitMs < timeoutMs
        ? limitTime(question, waitMs, () => "unknown" as const, true)
        : question;
    },
    close() {
      isClosed = true;
      states.clear();
      resolver.cancel();
    },
  };
}
