import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";

/** Long enough for a busy machine; without load, a change takes less than two seconds. */
const PATIENCE_MS = 20_000;

interface BlockProcess {
  /** Returns true if the process refuses an address or an account. */
  refuses(this: void, subject: string): Promise<boolean>;
  /** Asks the process to change its list; false if its store failed. */
  change(this: void, action: "block" | "unblock", subject: string): Promise<boolean>;
  kill(this: void): Promise<void>;
}

/** Starts a process that serves blocks, once it knows the blocks in force. */
export async function startBlockProcess(program: string, settings: object): Promise<BlockProcess> {
  const child: ChildProcess = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await once(lines, "line")) as [string];
  const base = `http://127.0.0.1:${line.replace("port ", "")}`;
  const ask = async (path: string, subject: string): Promise<number> => {
    const response = await fetch(`${base}${path}?subject=${encodeURIComponent(subject)}`);
    await response.arrayBuffer();
    return response.status;
  };
  return {
    refuses: async (subject) => (await ask("/", subject)) === 403,
    change: async (action, subject) => (await ask(`/${action}`, subject)) === 204,
    kill,
  };
}

/** Waits until all processes refuse a subject, or none does; returns how long that took. */
export async function untilAll(
  processes: readonly BlockProcess[],
  subject: string,
  isRefused: boolean,
): Promise<number> {
  const start = performance.now();
  const check = () => Promise.all(processes.map((each) => each.refuses(subject)));
  const all = processes.map(() => isRefused);
  await expect.poll(check, { timeout: PATIENCE_MS, interval: 20 }).toEqual(all);
  return performance.now() - start;
}

export interface SharedSource {
  readonly program: string;
  readonly settings: object;
  /** Changes the blocks at their source. */
  change(
    processes: readonly BlockProcess[],
    action: "block" | "unblock",
    subject: string,
  ): Promise<unknown>;
  /** Makes the source unreachable. */
  leave(this: void): Promise<unknown>;
  return(this: void): Promise<unknown>;
}

/**
 * Checks what three processes with one source of blocks must do, whatever the source is. Returns how
 * long each change took, in milliseconds.
 */
export async function shareBlocks(source: SharedSource): Promise<Readonly<Record<string, number>>> {
  const { program, settings } = source;
  const start = () => startBlockProcess(program, settings);
  const processes = await Promise.all([start(), start(), start()]);
  const [first, second, third] = processes;
  const took: Record<string, number> = {};
  const subjects = ["8.8.8.8", "ada@shop.example"];
  for (const subject of subjects) {
    await untilAll(processes, subject, false);
    await source.change(processes, "block", subject);
    took[`block ${subject}`] = await untilAll(processes, subject, true);
  }

  await second.kill();
  const again = await start();
  for (const subject of subjects) expect(await again.refuses(subject)).toBe(true);

  const running = [first, again, third];
  for (const subject of subjects) {
    await source.change(running, "unblock", subject);
    took[`unblock ${subject}`] = await untilAll(running, subject, false);
  }

  await source.change(running, "block", "9.9.9.9");
  await untilAll(running, "9.9.9.9", true);
  await source.leave();
  const until = performance.now() + Number(process.env["RISKGATE_AWAY_MS"] ?? 3_000);
  while (performance.now() < until) {
    expect(await Promise.all(running.map((each) => each.refuses("9.9.9.9")))).not.toContain(false);
    await pause(100);
  }
  await source.return();
  await expect
    .poll(() => source.change(running, "unblock", "9.9.9.9"), { timeout: PATIENCE_MS })
    .not.toBe(false);
  took["unblock after the outage"] = await untilAll(running, "9.9.9.9", false);
  return took;
}
