import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../../../tools/test/free-port.js";

/** Whether this machine has the program. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis of the test's own, which it may freeze, kill and start again. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Stop it with a signal, and wait until the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Start it again with the same files. */
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Kill it, and remove its files. */
  close(): Promise<void>;
}

/** Start a Redis on a free port, with an append-only file unless `settings` say otherwise. */
export async function startRedis(settings: Record<string, string> = {}): Promise<RedisServer> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), "riskgate-redis-"));
  const options = { appendonly: "yes", appendfsync: "everysec", save: "", ...settings };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    child = spawn(
      "redis-server",
      ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, ...args],
      { stdio: "ignore" },
    );
    while (!(await answers(port))) await pause(20);
  };
  const kill = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, "exit");
    running.kill(signal);
    await gone;
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    async close() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Whether it answers a ping: while it loads its file it does not. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    socket.write("PING\r\n");
    const [chunk] = (await once(socket, "data")) as [Buffer];
    return chunk.toString().startsWith("+PONG");
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
