import { ask, startProcess, stopProcess } from "./processes.mjs";
import { quick } from "./settings.mjs";

/** How long one measure of a server runs, in milliseconds. */
const MEASURE_MS = quick ? 150 : 600;

/**
 * How a server is asked before it counts, for until then its code is compiled again and again: in
 * short turns with the others, because V8 collects garbage in a process that idles for 8 seconds, and
 * one that does so before its first requests can stay up to 30 % slower for good.
 */
const WARM_UP = quick ? { turns: 1, ms: 150 } : { turns: 16, ms: 250 };

/**
 * @typedef {object} LoadOptions
 * @property {number} port
 * @property {Uint8Array | readonly Uint8Array[]} request Whole requests, sent in turn.
 * @property {number} connections
 * @property {number} [ms] How long.
 * @property {number} status What each answer must have.
 */

/**
 * @typedef {object} Load
 * @property {(options: LoadOptions) => Promise<{ requests: number, p50: number, p99: number }>} run
 *   Rejects for another status, or a server that closes. Percentiles are in microseconds.
 * @property {() => Promise<void>} stop
 */

/**
 * Start the process that sends requests. It shares the processor of the servers where possible: on
 * another one it falls asleep whenever it is the faster of the two, and the server's writes then pay
 * for waking it, which costs as much as everything that is to be compared.
 *
 * @returns {Load}
 */
export function startLoad() {
  const child = startProcess("load-process.mjs", [], { core: 0 });
  return {
    run: ({ ms = MEASURE_MS, request, ...rest }) =>
      ask(child, { ...rest, ms, requests: Array.isArray(request) ? request : [request] }),
    stop: () => stopProcess(child),
  };
}

/**
 * Load a server and tell what it did, and what that cost it. Requests a second are those that the
 * processor could serve if nothing else took its time.
 *
 * @param {import("./server.mjs").RunningServer} server
 * @param {Load} load
 * @param {Omit<LoadOptions, "port">} options
 */
export async function httpFigures(server, load, options) {
  const before = await server.cpuUs();
  const { requests, p50, p99 } = await load.run({ ...options, port: server.port });
  const cpuUs = ((await server.cpuUs()) - before) / requests;
  return { rps: 1e6 / cpuUs, cpuUs, p50, p99 };
}

/**
 * A variant of a comparison that is a server under load.
 *
 * @param {string} name
 * @param {import("./server.mjs").RunningServer} server
 * @param {Load} load
 * @param {Omit<LoadOptions, "port">} options
 */
export function httpVariant(name, server, load, options) {
  return {
    name,
    warmUps: WARM_UP.turns,
    warmUp: () => load.run({ ...options, port: server.port, ms: WARM_UP.ms }),
    measure: () => httpFigures(server, load, options),
  };
}
