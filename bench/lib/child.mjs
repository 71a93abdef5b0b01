import { answerOf, startProcess, stopProcess } from "./processes.mjs";

/**
 * Runs the default export of a module in a new process with `gc`, for measurements on a fresh heap.
 *
 * @param {string | URL} module
 * @param {...unknown} args Passed to the function as JSON.
 * @returns {Promise<any>} The function's result.
 */
export async function inChild(module, ...args) {
  const child = startProcess("child-process.mjs", [String(module), JSON.stringify(args)], {
    nodeOptions: ["--expose-gc"],
  });
  try {
    return (await answerOf(child)).value;
  } finally {
    await stopProcess(child);
  }
}
