import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bundleSources } from "../../../../tools/test/bundle-sources.mjs";

const SCRIPT = fileURLToPath(new URL("dispatch-process.mjs", import.meta.url));
const BUNDLED = await bundleSources("service", "storage/open-storage.ts", "dispatch/dispatcher.ts");

/** A dispatcher in a process of its own. */
export class DispatchChild {
  #process;
  /** @type {Set<string>} */
  #said = new Set();
  /** @type {Map<string, () => void>} */
  #awaited = new Map();
  /** Ids of the events that it said are stored. @type {string[]} */
  accepted = [];
  #errors = "";

  /** @param {Record<string, unknown>} plan Options of `dispatch-process.mjs`. */
  constructor(plan) {
    const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
    this.#process = spawn(process.execPath, [SCRIPT, BUNDLED, JSON.stringify(plan)], {
      env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    // Whoever is killed takes no more input.
    this.#process.stdin.on("error", () => {});
    this.#process.stderr.on("data", (chunk) => (this.#errors += String(chunk)));
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#hear(line));
    this.ended = once(this.#process, "close");
  }

  /**
   * Wait for "ready" or "recording".
   *
   * @param {string} word
   */
  async says(word) {
    if (this.#said.has(word)) return;
    const said = new Promise((resolve) => this.#awaited.set(word, () => resolve(undefined)));
    const gone = this.ended.then(() => {
      if (!this.#said.has(word)) throw new Error(`ended before ${word}: ${this.#errors}`);
    });
    await Promise.race([said, gone]);
  }

  /** @param {string[]} ids */
  add(ids) {
    this.#process.stdin.write(`${JSON.stringify({ add: ids })}\n`);
  }

  /** End it without a chance to tidy up. */
  async kill() {
    this.#process.kill("SIGKILL");
    await this.ended;
  }

  /** Let it end by itself; resolves to its exit code and what it complained of. */
  async stop() {
    this.#process.kill("SIGTERM");
    const [code] = await this.ended;
    return { code, errors: this.#errors };
  }

  /** @param {string} line */
  #hear(line) {
    /** @type {unknown} */
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      // The last line of a process that was killed can be cut off.
      return;
    }
    const { added, ...words } = /** @type {{ added?: string[] }} */ (message);
    if (added) this.accepted.push(...added);
    for (const word of Object.keys(words)) {
      this.#said.add(word);
      this.#awaited.get(word)?.();
    }
  }
}
