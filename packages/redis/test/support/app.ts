import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { signDelivery } from "@riskgate/testing";
import { openWebhookApp } from "./webhook-app.mjs";

/** Settings of `webhook-app.mjs`. */
export interface AppSettings {
  readonly url: string;
  readonly name: string;
  readonly log: string;
  readonly client?: "ioredis" | "redis";
  readonly lockMs?: number;
  readonly concurrency?: number;
  readonly maxAttempts?: number;
  readonly seen?: boolean;
  readonly work?: boolean;
  readonly slowMs?: number;
  /** Whether it waits for Redis as long as it takes, as tests on a busy machine need; default true. */
  readonly patient?: boolean;
}

/** What an application answered; undefined where the connection broke. */
interface AppAnswer {
  readonly status: number | undefined;
  readonly retryAfter: string | null;
  readonly text: string;
  readonly elapsedMs: number;
}

/** An application in this process. */
export interface App {
  post(payloads: readonly unknown[]): Promise<AppAnswer>;
}

/** An application as a process of its own. */
export interface AppProcess extends App {
  /** End it with a signal; resolves to its exit code, null after a kill. */
  kill(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves when the process has ended, however that came about. */
  readonly ended: Promise<number | null>;
}

const SECRET = "hook-secret-1";
const PROGRAM = fileURLToPath(new URL("app.mjs", import.meta.url));

const complete = (settings: AppSettings) => ({
  lockMs: 1_000,
  patient: true,
  ...settings,
  secret: SECRET,
});

/** Start an application as a process of its own, and wait until it listens. */
export async function startApp(settings: AppSettings): Promise<AppProcess> {
  const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...env } = process.env;
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(complete(settings))], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const ended = once(child, "exit").then(([code]) => code as number | null);
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const port = await listens(child, () => output);
  return {
    ended,
    post: async (payloads) => post(port, payloads),
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      return ended;
    },
  };
}

/** Open an application in this process: for what no process has to be killed for. */
export async function openApp(settings: AppSettings): Promise<App & { close(): Promise<void> }> {
  const { port, stop } = await openWebhookApp(complete(settings));
  return { post: async (payloads) => post(port, payloads), close: stop };
}

async function listens(child: ChildProcess, output: () => string): Promise<number> {
  for (;;) {
    const port = /^port (\d+)$/m.exec(output())?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(output());
    await Promise.race([once(child.stdout!, "data"), once(child, "exit")]);
  }
}

async function post(port: number, payloads: readonly unknown[]): Promise<AppAnswer> {
  const { body, headers } = signDelivery(payloads, SECRET);
  const startedMs = performance.now();
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers });
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      text: await response.text(),
      elapsedMs: performance.now() - startedMs,
    };
  } catch {
    const elapsedMs = performance.now() - startedMs;
    return { status: undefined, retryAfter: null, text: "", elapsedMs };
  }
}

/** Payloads with these ids, which no handler knows by type. */
export function payloadsOf(ids: readonly string[]): readonly unknown[] {
  return ids.map((id) => ({ service_payload_type: "of_the_test", id }));
}

/** A file that the handlers of several processes write to. */
export interface HandlerLog {
  readonly path: string;
  /** How often the handling of each id was begun. */
  starts(): Map<string, number>;
  /** How often it ended well. */
  ends(): Map<string, number>;
  /** Every line: `+` and the id where it began, `-` where it ended. */
  lines(): string[];
  close(): void;
}

/** Make an empty file. */
export function openLog(): HandlerLog {
  const dir = mkdtempSync(join(tmpdir(), "riskgate-log-"));
  const path = join(dir, "handled.txt");
  writeFileSync(path, "");
  const lines = (): string[] => readFileSync(path, "utf8").split("\n").slice(0, -1);
  const counted = (mark: string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const line of lines()) {
      const id = line.slice(1);
      if (line.startsWith(mark)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  };
  return {
    path,
    lines,
    starts: () => counted("+"),
    ends: () => counted("-"),
    close: () => rmSync(dir, { recursive: true }),
  };
}
