import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { quick } from "./settings.mjs";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

const canPin =
  availableParallelism() > 1 && spawnSync("taskset", ["--version"]).error === undefined;

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Returns the ids of the processes that were started here and still run. */
export const processIds = () => [...running].flatMap(({ pid }) => (pid ? [pid] : []));

/**
 * Starts a module of this folder in a process that ends with this one.
 *
 * @param {string} name File in this folder.
 * @param {readonly string[]} args
 * @param {{ core?: number, nodeOptions?: readonly string[] }} [options] `core`: the only processor it
 *   may use, if the machine has several and `taskset`.
 */
export function startProcess(name, args, { core, nodeOptions = [] } = {}) {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const command = [process.execPath, ...nodeOptions, file, ...args, ...(quick ? ["--quick"] : [])];
  if (core !== undefined && canPin) command.unshift("taskset", "-c", String(core));
  const child = spawn(/** @type {string} */ (command[0]), command.slice(1), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/**
 * Returns the next message of a process.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<any>} Rejects if it ends or its message has an `error`.
 */
export function answerOf(child) {
  return new Promise((resolve, reject) => {
    /** @param {any} message */
    const take = (message) => {
      child.off("exit", ended);
      if (message?.error === undefined) resolve(message);
      else reject(new Error(message.error));
    };
    /** @param {number | null} code @param {string | null} signal */
    const ended = (code, signal) => {
      child.off("message", take);
      reject(
        new Error(`the process ended early (${signal ?? code}): ${child.spawnargs.join(" ")}`),
      );
    };
    child.once("message", take);
    child.once("exit", ended);
  });
}

/**
 * Sends a message to a process and returns its answer.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {object} question
 */
export function ask(child, question) {
  const answer = answerOf(child);
  child.send(question);
  return answer;
}

/** @param {import("node:child_process").ChildProcess} child */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}
