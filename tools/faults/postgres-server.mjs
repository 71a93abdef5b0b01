import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../free-port.mjs";

/** True if this machine has the programs. */
export const hasPostgresServer =
  spawnSync("initdb", ["--version"]).status === 0 &&
  spawnSync("postgres", ["--version"]).status === 0;

/**
 * Returns the user of PostgreSQL's package if this process is root, because it refuses to run as root.
 *
 * @returns {{ uid?: number, gid?: number }}
 */
function user() {
  if (process.getuid?.() !== 0) return {};
  const idOf = (/** @type {string} */ flag) => Number(spawnSync("id", [flag, "postgres"]).stdout);
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** A separate PostgreSQL cluster on a free port. */
export class PostgresServer {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;

  /** @param {string} directory @param {number} port */
  constructor(directory, port) {
    this.directory = directory;
    this.port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** @param {string} parent */
  static async open(parent) {
    const directory = join(parent, "postgres");
    mkdirSync(directory, { mode: 0o700 });
    const owner = user();
    if (owner.uid !== undefined) {
      chmodSync(parent, 0o711);
      chownSync(directory, owner.uid, Number(owner.gid));
    }
    const options = ["--pgdata", directory, "--username", "postgres", "--auth", "trust"];
    const made = spawnSync("initdb", options, { ...owner, cwd: "/", encoding: "utf8" });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
    const server = new PostgresServer(directory, await freePort());
    await server.start();
    return server;
  }

  /** Starts it and waits until it answers. */
  async start() {
    const place = ["-D", this.directory, "-p", String(this.port), "-h", "127.0.0.1", "-k", ""];
    this.#child = spawn("postgres", place, { ...user(), cwd: "/", stdio: "ignore" });
    while (!(await answers(this.url))) await pause(50);
  }

  /**
   * Sends a signal to it and each of its processes.
   *
   * @param {NodeJS.Signals} name Such as SIGSTOP, which pauses it.
   */
  signal(name) {
    const { pid } = this.#child ?? {};
    if (pid === undefined) return;
    const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
    for (const one of [pid, ...stdout.split("\n").map(Number)])
      if (one > 0) process.kill(one, name);
  }

  /** Stops it in immediate mode: as after a crash, it recovers at its next start. */
  async kill() {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGQUIT");
    await gone;
  }
}

/** @param {string} connectionString */
async function answers(connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
