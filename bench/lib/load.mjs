import { ask, startProcess, stopProcess } from "./processes.mjs";
import { quick } from "./settings.mjs";

/** Duration of one measurement of a server. */
const MEASURE_MS = quick ? 150 : 600;

/**
 * Warm-up of a server, whose code is recompiled several times at first. All servers take short turns,
 * because V8 collects garbage in a process that idles for 8 seconds. A process that does so before
 * its first requests can stay up to 30 % slower.
 */
const WARM_UP = quick ? { turns: 1, ms: 150 } : { turns: 16, ms: 250 };

/**
 * @typedef {object} LoadOptions
 * @property {number} port
 * @property {Uint8Array | readonly Uint8Array[]} request Complete requests, sent in turn.
 * @property {number} connections
 * @property {number} [ms] Duration.
 * @property {number} status Expected of every response.
 */

/**
 * @typedef {object} Load
 * @property {(options: LoadOptions) => Promise<{ requests: number, p50: number, p99: number }>} run
 *   Rejects if a status differs or the server closes. Percentiles are in microseconds.
 * @property {() => Promise<void>} stop
 */

/**
 * Starts the process that sends requests. If possible it shares the servers' processor. On another
 * one it would sleep whenever it is faster than the server, and the server's writes would have to
 * wake it, which costs as much as the differences to be measured.
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
 * Loads a server and returns its figures. Requests per second are computed from its CPU time alone.
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
 * Creates a variant of a comparison from a server under load.
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
