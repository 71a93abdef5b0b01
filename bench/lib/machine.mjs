import { readFileSync } from "node:fs";
import { availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { processIds } from "./processes.mjs";

/** Linux counts processor time in this many ticks per second. */
const TICKS = 100;

/** Describes the machine and Node. */
export function describeMachine() {
  const model = cpus()[0]?.model.trim().replaceAll(/\s+/g, " ") ?? "unknown processor";
  const { node, v8, openssl } = process.versions;
  return {
    machine: `${availableParallelism()} x ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()}`,
    node: `Node ${node} (V8 ${v8}, OpenSSL ${openssl})`,
  };
}

/** Returns the installed versions of riskgate and its peers. @returns {Record<string, string>} */
export function installedVersions() {
  const folder = new URL("../", import.meta.url);
  const { dependencies } = readJson(new URL("package.json", folder));
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => [
      name,
      readJson(new URL(`node_modules/${name}/package.json`, folder)).version,
    ]),
  );
}

/**
 * Starts to measure the load by other processes.
 *
 * @returns {() => number} The average number of processors that other processes used since then,
 *   such as 0.4; NaN if the system does not report it.
 */
export function watchOthers() {
  const before = otherTicks();
  const start = performance.now();
  return () => (otherTicks() - before) / TICKS / ((performance.now() - start) / 1e3);
}

function otherTicks() {
  try {
    const [, ...fields] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/\s+/) ?? [];
    // user, nice, system, idle, iowait, irq, softirq, steal: without the two kinds of waiting.
    const busy = fields.slice(0, 8).reduce((sum, ticks, index) => {
      return index === 3 || index === 4 ? sum : sum + Number(ticks);
    }, 0);
    const own = [process.pid, ...processIds()].reduce((sum, id) => sum + ownTicks(id), 0);
    return busy - own;
  } catch {
    return NaN;
  }
}

/** @param {number} id */
function ownTicks(id) {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    // After the name, which may contain any character: utime, stime, and both of ended children.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}

/** @param {URL} url */
const readJson = (url) => JSON.parse(readFileSync(url, "utf8"));
