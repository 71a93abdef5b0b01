import { createMemoryLedger } from "@riskgate/engine";
import { heldMiB } from "./held-memory.mjs";

/**
 * Record events of addresses in turn.
 *
 * @param {{ events: number, subjects: number }} size
 */
export default function grow({ events, subjects }) {
  const ledger = createMemoryLedger({ maxEntries: subjects });
  const before = heldMiB();
  const cpuBefore = process.cpuUsage();
  for (let event = 0; event < events; event++) ledger.record({ ip: addressOf(event % subjects) });
  const cpu = process.cpuUsage(cpuBefore);
  const mib = heldMiB(ledger) - before;
  const count = ledger.ipHistory(addressOf(0))?.security_events_count;
  if (count !== Math.ceil(events / subjects)) throw new Error("the ledger has lost events");
  return { us: (cpu.user + cpu.system) / events, MiB: mib, bytes: (mib * 2 ** 20) / subjects };
}

/** @param {number} subject */
const addressOf = (subject) => `20.${subject >>> 16}.${(subject >>> 8) & 255}.${subject & 255}`;
