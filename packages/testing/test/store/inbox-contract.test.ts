import type { Receipt } from "@riskgate/core";
import type { AcceptedDelivery } from "@riskgate/core/payloads";
import { describe, expect, it } from "vitest";
import { inboxContract, type InboxHarness } from "../../src/store/inbox-contract.js";

/** What is wrong with an inbox. */
interface Flaws {
  /** Hands back other bytes. */
  readonly rewrites?: boolean;
  /** Forgets what comes before it is attached. */
  readonly forgets?: boolean;
  /** Takes every receipt for a success. */
  readonly trusts?: boolean;
  /** Hands back the whole delivery when one element failed. */
  readonly repeats?: boolean;
  /** Counts an attempt that nothing was begun in. */
  readonly counts?: boolean;
  /** Hands everything back twice at a time. */
  readonly doubles?: boolean;
}

interface Item {
  readonly delivery: AcceptedDelivery;
  readonly starts: number;
}

/** An inbox in memory, which handles one item after the other. */
const harness = (flaws: Flaws): InboxHarness => ({
  name: "memory",
  async open({ maxAttempts }) {
    let process: ((delivery: AcceptedDelivery) => Promise<Receipt>) | undefined;
    let waiting: Item[] = [];
    let parked = 0;
    let open = 0;
    let isClosed = false;

    const handle = async ({ delivery, starts }: Item): Promise<void> => {
      const receipt = await process!(delivery).catch(() => undefined);
      if (flaws.trusts) return;
      if (receipt?.code === undefined && receipt?.status === 204) return;
      const isHeld = receipt?.code === "HANDLER_BUSY" && !flaws.counts;
      const began = starts + (isHeld ? 0 : 1);
      const failed = new Set(receipt?.failed.map(({ index }) => index));
      for (const [at, element] of elementsOf(delivery).entries()) {
        if (failed.size > 0 && !failed.has((delivery.firstIndex ?? 0) + at) && !flaws.repeats) {
          continue;
        }
        if (began >= maxAttempts) parked++;
        else add({ delivery: element, starts: began });
      }
    };
    const add = (item: Item): void => {
      open++;
      waiting.push(item);
      setImmediate(() => void next());
    };
    const next = async (): Promise<void> => {
      if (!process || isClosed) return;
      const items = waiting;
      waiting = [];
      for (const item of items) {
        if (flaws.doubles) await Promise.all([handle(item), handle(item)]);
        else await handle(item);
        open--;
      }
    };
    return {
      inbox: {
        async accept({ body, secretId }) {
          if (flaws.forgets && !process) return;
          const text = Buffer.from(body).toString();
          const bytes = flaws.rewrites ? Buffer.from(text.replace("\ufeff", "").trim()) : body;
          add({ delivery: { body: bytes, secretId }, starts: 0 });
        },
        attach(given) {
          process = given;
          setImmediate(() => void next());
        },
      },
      open: async () => open,
      parked: async () => parked,
      close: async () => void (isClosed = true),
    };
  },
});

function elementsOf({ body, secretId, firstIndex = 0 }: AcceptedDelivery): AcceptedDelivery[] {
  const elements = JSON.parse(Buffer.from(body).toString()) as unknown[];
  return elements.map((element, at) => ({
    body: Buffer.from(JSON.stringify([element])),
    secretId,
    firstIndex: firstIndex + at,
  }));
}

describe("inboxContract", () => {
  it.each(inboxContract)("$id holds for a sound inbox: $title", async (check) => {
    await expect(check.run(harness({}))).resolves.toBeUndefined();
  });

  it.each<[flaw: keyof Flaws, id: string]>([
    ["rewrites", "IBX-01"],
    ["forgets", "IBX-02"],
    ["trusts", "IBX-05"],
    ["repeats", "IBX-05"],
    ["trusts", "IBX-06"],
    ["trusts", "IBX-07"],
    ["counts", "IBX-08"],
    ["doubles", "IBX-09"],
    ["doubles", "IBX-04"],
  ])("notices one that %s (%s)", async (flaw, id) => {
    const check = inboxContract.find((one) => one.id === id);
    await expect(check?.run(harness({ [flaw]: true }))).rejects.toBeInstanceOf(Error);
  });
});
