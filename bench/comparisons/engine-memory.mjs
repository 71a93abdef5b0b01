import { createMemoryLedger } from "@riskgate/engine";
import { inChild } from "../lib/child.mjs";
import { timed } from "../lib/timing.mjs";

const LOADING = new URL("../workers/engine-loading.mjs", import.meta.url);
const LEDGER = new URL("../workers/ledger-growth.mjs", import.meta.url);

/**
 * Loading lists of networks in a new process, which at once has to compile the code that does it.
 *
 * @param {{ v4: number, v6: number }} size Networks.
 */
export function loading(size) {
  const total = (size.v4 + size.v6).toLocaleString("en");
  const names = ["riskgate, first load", "riskgate, reload", "ip-set", "net.BlockList"];
  return {
    name: `loading ${total} networks`,
    figure: "ms",
    baseline: "riskgate, first load",
    rounds: 5,
    warmUp: false,
    open: async () => ({
      variants: names.map((name) => ({ name, measure: () => inChild(LOADING, name, size) })),
    }),
  };
}

/** The ledger in a process that has much else, with 20,000 addresses and accounts. */
export function ledgerSpeed() {
  const SUBJECTS = 20_000;
  return {
    name: "ledger",
    figure: "us",
    baseline: "read",
    async open() {
      const ledger = createMemoryLedger();
      const events = Array.from({ length: SUBJECTS }, (_, index) => ({
        ip: Buffer.from(`100.${index % 64}.${index >> 8}.${index & 255}`).toString("latin1"),
        email: Buffer.from(`user${index}@example.com`).toString("latin1"),
      }));
      for (const event of events) ledger.record(event);
      if (ledger.ipHistory(events[7]?.ip ?? "")?.security_events_count !== 1)
        throw new Error("the ledger does not know what it recorded");
      return {
        variants: [
          {
            name: "read",
            measure: timed((call) => ledger.ipHistory(events[call % SUBJECTS]?.ip ?? "")),
          },
          {
            name: "record",
            measure: timed((call) => ledger.record(events[call % SUBJECTS] ?? {})),
          },
        ],
      };
    },
  };
}

/** Memory of an address in the ledger, with its key. @param {number} subjects */
export function ledgerSpace(subjects) {
  const name = `${subjects.toLocaleString("en")} addresses`;
  return {
    name: "memory of the ledger",
    figure: "bytes",
    baseline: name,
    rounds: 3,
    warmUp: false,
    open: async () => ({
      variants: [
        { name, measure: () => inChild(LEDGER, { events: subjects, subjects: subjects }) },
      ],
    }),
  };
}
