import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../free-port.mjs";

/** True if this machine has the program. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** A separate Redis with an append-only file, on a free port. */
export class RedisServer {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;

  /** @param {string} directory @param {number} port */
  constructor(directory, port) {
    this.directory = directory;
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** @param {string} directory */
  static async open(directory) {
    const server = new RedisServer(directory, await freePort());
    await server.start();
    return server;
  }

  /** Starts it and waits until it has loaded its file and answers. */
  async start() {
    const place = ["--port", String(this.port), "--bind", "127.0.0.1", "--dir", this.directory];
    const durable = ["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""];
    this.#child = spawn("redis-server", [...place, ...durable], { stdio: "ignore" });
    while (!(await answers(this.port))) await pause(20);
  }

  /** @param {NodeJS.Signals} name Such as SIGSTOP, which pauses it. */
  signal(name) {
    this.#child?.kill(name);
  }

  async kill() {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
}

/** @param {number} port */
async function answers(port) {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    socket.write("PING\r\n");
    const [chunk] = await once(socket, "data");
    return String(chunk).startsWith("+PONG");
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
