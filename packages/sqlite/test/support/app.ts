import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { signDelivery } from "@riskgate/testing";

const SECRET = "hook-secret-1";
const PROGRAM = fileURLToPath(new URL("app.mjs", import.meta.url));

/** A directory with an inbox, and what the handlers of its processes wrote. */
export interface Site {
  readonly directory: string;
  /** Start an application as a process of its own, and wait until it listens. */
  readonly start: (settings?: AppSettings) => Promise<App>;
  /** How often the handling of each id was begun. */
  readonly starts: () => Record<string, number>;
  /** How often it ended well. */
  readonly ends: () => Record<string, number>;
  close(): Promise<void>;
}

interface AppSettings {
  /** How long a handler of `slow-` takes. */
  readonly slowMs?: number;
  readonly closeTimeoutMs?: number;
}

/** An application as a process of its own. */
interface App {
  /** Deliver payloads with these ids; resolves to the status. */
  post(ids: readonly string[]): Promise<number>;
  /** End it with a signal; resolves to its exit code, null after a kill. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves when the process has ended, however that came about. */
  readonly ended: Promise<number | null>;
}

/** Make a directory for an inbox. */
export function openSite(): Site {
  const base = mkdtempSync(join(tmpdir(), "riskgate-inbox-"));
  const directory = join(base, "inbox");
  const log = join(base, "handled.txt");
  writeFileSync(log, "");
  const apps: App[] = [];
  const counted = (mark: string): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const line of readFileSync(log, "utf8").split("\n").slice(0, -1)) {
      const id = line.slice(1);
      if (line.startsWith(mark)) counts[id] = (counts[id] ?? 0) + 1;
    }
    return counts;
  };
  return {
    directory,
    async start(settings = {}) {
      const app = await startApp({ slowMs: 1, ...settings, directory, log, secret: SECRET });
      apps.push(app);
      return app;
    },
    starts: () => counted("+"),
    ends: () => counted("-"),
    async close() {
      await Promise.all(apps.map(async (app) => app.kill("SIGKILL")));
      rmSync(base, { recursive: true });
    },
  };
}

async function startApp(settings: object): Promise<App> {
  const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...env } = process.env;
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(settings)], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const port = await portOf(child);
  return {
    ended,
    async post(ids) {
      const payloads = ids.map((id) => ({ service_payload_type: "of_the_test", id }));
      const { body, headers } = signDelivery(payloads, SECRET);
      const url = `http://127.0.0.1:${port}/`;
      return (await fetch(url, { method: "POST", body, headers })).status;
    },
    async kill(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

async function portOf(child: ChildProcess): Promise<string> {
  const [line] = (await Promise.race([once(child.stdout!, "data"), once(child, "exit")])) as [
    unknown,
  ];
  const port = /^port (\d+)$/m.exec(String(line))?.[1];
  if (port === undefined) throw new Error(`the application ended: ${String(line)}`);
  return port;
}
