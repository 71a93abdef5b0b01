import { createEngine } from "@riskgate/engine";
import { askedAddresses, ipv4Networks } from "./addresses.mjs";
import { heldMiB } from "./held-memory.mjs";
import { createRandom } from "./random.mjs";

const ASKED = 65_536;
const LOOKUPS = 1_000_000;

/**
 * Load one feed of networks, and look addresses up.
 *
 * @param {{ networks: number }} size
 */
export default async function grow({ networks }) {
  const random = createRandom(5);
  const entries = ipv4Networks(networks, random);
  const asked = askedAddresses(entries, ASKED, random);
  // The list of disposable domains that comes along is loaded once in a process, here.
  await createEngine();
  const before = heldMiB(entries);
  const started = performance.now();
  const engine = await createEngine({ feeds: [{ kind: "datacenter", entries }] });
  const ms = performance.now() - started;
  const mib = heldMiB(entries, engine) - before;
  let found = 0;
  const ask = (/** @type {number} */ lookups) => {
    for (let lookup = 0; lookup < lookups; lookup++) {
      const answer = engine.peekIp(asked[lookup % ASKED] ?? "");
      if (answer?.assessment.is_datacenter) found++;
    }
  };
  ask(LOOKUPS / 5);
  const cpuBefore = process.cpuUsage();
  ask(LOOKUPS);
  const cpu = process.cpuUsage(cpuBefore);
  if (found < LOOKUPS / 2) throw new Error("networks were not found");
  return { ns: ((cpu.user + cpu.system) * 1e3) / LOOKUPS, ms, MiB: mib };
}
