import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { BlockList } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { createEngine } from "@riskgate/engine";
import IPSet from "ip-set";
import { ipv4Networks, ipv6Networks } from "./addresses.mjs";
import { heldMiB } from "./held-memory.mjs";
import { createRandom } from "./random.mjs";

/**
 * Load networks, and tell how long it took, how long nothing else could run, and what it holds.
 *
 * @param {string} variant
 * @param {{ v4: number, v6: number }} size
 */
export default async function load(variant, { v4, v6 }) {
  const random = createRandom(4);
  const networks = [...ipv4Networks(v4, random), ...ipv6Networks(v6, random)];
  if (variant.startsWith("riskgate")) return loadEngine(networks, variant.endsWith("reload"));
  const before = heldMiB();
  const started = performance.now();
  const list = variant === "ip-set" ? new IPSet(networks) : blockList(networks);
  const ms = performance.now() - started;
  return { ms, longestMs: ms, MiB: heldMiB(list) - before };
}

/** @param {readonly string[]} networks @param {boolean} isReload */
async function loadEngine(networks, isReload) {
  const folder = await mkdtemp(join(tmpdir(), "riskgate-bench-"));
  const path = join(folder, "networks.txt");
  await writeFile(path, networks.join("\n"));
  // The list of disposable domains that comes along is loaded once in a process, here.
  await createEngine();
  const before = heldMiB();
  let stop = watchLoop();
  let started = performance.now();
  const engine = await createEngine({ feeds: [{ kind: "datacenter", path }] });
  if (isReload) {
    for (let times = 0; times < 5; times++) await engine.reload();
    await stop();
    stop = watchLoop();
    started = performance.now();
    await engine.reload();
  }
  const ms = performance.now() - started;
  const longestMs = await stop();
  await rm(folder, { recursive: true });
  if (engine.feeds()[0]?.size !== networks.length) throw new Error("not all networks were loaded");
  return { ms, longestMs, MiB: heldMiB(engine) - before };
}

/** @param {readonly string[]} networks */
function blockList(networks) {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    list.addSubnet(address, Number(length), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

/** Watch how long the event loop stands still, until told to stop. */
function watchLoop() {
  const watch = { isOn: true };
  const watching = (async () => {
    let longestMs = 0;
    let last = performance.now();
    while (watch.isOn) {
      await turn();
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      last = now;
    }
    return longestMs;
  })();
  return () => {
    watch.isOn = false;
    return watching;
  };
}
