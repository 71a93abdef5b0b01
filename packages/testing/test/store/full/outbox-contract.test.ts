import { randomUUID } from "node:crypto";
import { sign } from "@riskgate/core";
import { signStandard } from "@riskgate/core/internal";
import { describe, expect, it } from "vitest";
import { outboxContract, type OutboxHarness } from "../../../src/store/outbox-contract.js";

/** What is wrong with an outbox. */
interface Flaws {
  /** Sends what was received once more. */
  readonly repeats?: boolean;
  /** Sends the newest first. */
  readonly reverses?: boolean;
  /** Signs other bytes. */
  readonly signs?: boolean;
  /** Sends everything at once. */
  readonly floods?: boolean;
  /** Takes a new id for each attempt. */
  readonly renames?: boolean;
  /** Writes the body anew for each attempt. */
  readonly rewrites?: boolean;
  /** Takes a redirect for a success. */
  readonly trusts?: boolean;
  /** Sends to one endpoint after the other. */
  readonly waits?: boolean;
  /** Signs with the secret of the first endpoint. */
  readonly mixes?: boolean;
  /** Keeps nothing over a restart. */
  readonly forgets?: boolean;
}

/** An outbox in memory, which sends one delivery of an endpoint after the other. */
const harness = (flaws: Flaws, patienceMs?: number): OutboxHarness => ({
  name: "memory",
  ...(patienceMs !== undefined && { patienceMs }),
  async open(urls) {
    const secrets = urls.map((_, index) => `secret-of-endpoint-${index}`);
    const waiting: string[][] = urls.map(() => []);
    let end = new AbortController();
    let shared = Promise.resolve();

    const sendOnce = async (
      url: string,
      body: string,
      secret: string,
      delivery: string,
    ): Promise<boolean> => {
      const id = flaws.renames ? randomUUID() : delivery;
      const seconds = Math.floor(Date.now() / 1000);
      const headers = {
        "content-type": "application/json",
        "x-service-integrity": sign(Buffer.from(flaws.signs ? `${body} ` : body), secret),
        ...signStandard({ id, seconds, body: Buffer.from(body) }, [secret]),
      };
      try {
        const options = { method: "POST", headers, body, redirect: "manual" } as const;
        const answer = await fetch(url, { ...options, signal: end.signal });
        await answer.arrayBuffer();
        return answer.ok || (flaws.trusts === true && answer.status < 400);
      } catch {
        return false;
      }
    };
    const deliver = async (endpoint: number): Promise<void> => {
      const queue = waiting.at(endpoint)!;
      const { signal } = end;
      while (queue.length > 0 && !signal.aborted) {
        if (flaws.reverses) queue.reverse();
        const ids = queue.slice(0, flaws.floods ? Infinity : 1_000);
        const write = (): string =>
          JSON.stringify(ids.map((id) => ({ id, ...(flaws.rewrites && { at: Math.random() }) })));
        const secret = secrets.at(flaws.mixes ? 0 : endpoint)!;
        const delivery = randomUUID();
        for (
          let body = write();
          !(await sendOnce(urls.at(endpoint)!, body, secret, delivery));
          body = write()
        ) {
          if (signal.aborted) return;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        queue.splice(0, ids.length);
        if (flaws.repeats) await sendOnce(urls.at(endpoint)!, write(), secret, delivery);
      }
    };
    const wake = (endpoint: number): void => {
      if (flaws.waits) shared = shared.then(async () => deliver(endpoint));
      else if (!running.has(endpoint)) {
        running.add(endpoint);
        void deliver(endpoint).finally(() => running.delete(endpoint));
      }
    };
    const running = new Set<number>();
    return {
      secrets,
      async add(endpoint, ids) {
        waiting.at(endpoint)!.push(...ids);
        setTimeout(() => wake(endpoint), 20);
      },
      idOf: ({ id }) => String(id),
      async restart() {
        end.abort();
        await new Promise((resolve) => setTimeout(resolve, 100));
        end = new AbortController();
        if (flaws.forgets) for (const queue of waiting) queue.length = 0;
        for (const endpoint of urls.keys()) wake(endpoint);
      },
      close: async () => end.abort(),
    };
  },
});

async function brokenBy(flaws: Flaws, ids: readonly string[]): Promise<string[]> {
  const broken: string[] = [];
  for (const check of outboxContract.filter(({ id }) => ids.includes(id))) {
    // A check that waits for what never comes shall not wait long.
    await check.run(harness(flaws, 1_000)).catch(() => broken.push(check.id));
  }
  return broken;
}

describe("the contract of outboxes", () => {
  it.each(outboxContract)("$id holds for one that $title", async (check) => {
    await expect(check.run(harness({}))).resolves.toBeUndefined();
  });

  it.each<[keyof Flaws, string[]]>([
    ["repeats", ["OBX-01"]],
    ["reverses", ["OBX-02"]],
    ["signs", ["OBX-03"]],
    ["floods", ["OBX-04"]],
    ["rewrites", ["OBX-05"]],
    ["trusts", ["OBX-06"]],
    ["waits", ["OBX-07"]],
    ["mixes", ["OBX-08"]],
    ["forgets", ["OBX-09"]],
    ["renames", ["OBX-10"]],
  ])("notices an outbox that %s", async (flaw, ids) => {
    expect(await brokenBy({ [flaw]: true }, ids)).toEqual(ids);
  });
});
