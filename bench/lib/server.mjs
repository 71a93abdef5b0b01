import { answerOf, ask, startProcess, stopProcess } from "./processes.mjs";

/**
 * @typedef {object} RunningServer
 * @property {number} port
 * @property {() => Promise<number>} cpuUs CPU time of its process so far, in microseconds.
 * @property {() => Promise<void>} stop
 */

/**
 * Heap for new objects in MiB, the same for every server from the start. Otherwise it grows when a
 * cache is filled, for example, and that server then collects half as often.
 */
const NEW_SPACE = ["--min-semi-space-size=16", "--max-semi-space-size=16"];

/**
 * Starts a server in a new process, on the first processor if possible.
 *
 * @param {string | URL} module Its default export takes the variant and returns a listening server.
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
