import { answerOf, ask, startProcess, stopProcess } from "./processes.mjs";

/**
 * @typedef {object} RunningServer
 * @property {number} port
 * @property {() => Promise<number>} cpuUs CPU time of its process until now, in microseconds.
 * @property {() => Promise<void>} stop
 */

/**
 * Room for new objects, in MiB: as large for every server from the start. Otherwise it grows when much
 * is made at once, such as when a cache is filled, and such a server collects half as often.
 */
const NEW_SPACE = ["--min-semi-space-size=16", "--max-semi-space-size=16"];

/**
 * Start a server in a process of its own, on the first processor where possible.
 *
 * @param {string | URL} module Its default export takes the variant and gives a listening server.
 * @param {string} variant
 * @returns {Promise<RunningServer>}
 */
export async function startServer(module, variant) {
  const child = startProcess("server-process.mjs", [String(module), variant], {
    core: 0,
    nodeOptions: NEW_SPACE,
  });
  const { port } = await answerOf(child);
  return {
    port,
    cpuUs: async () => (await ask(child, { question: "cpu" })).cpuUs,
    stop: () => stopProcess(child),
  };
}
