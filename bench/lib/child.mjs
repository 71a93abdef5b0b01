import { answerOf, startProcess, stopProcess } from "./processes.mjs";

/**
 * Run the default export of a module in a process of its own, with `gc` at hand: for whatever is
 * measured on a heap that nobody else has used.
 *
 * @param {string | URL} module
 * @param {...unknown} args Given to the function, as JSON.
 * @returns {Promise<any>} What the function gives.
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
