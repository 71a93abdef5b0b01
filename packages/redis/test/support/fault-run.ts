import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createRedisInbox } from "../../src/inbox.js";
import { type App, openLog, payloadsOf, startApp } from "./app.js";
import { openClient } from "./clients.js";
import { startRedis } from "./redis-server.js";

/** What is killed: the application, Redis, or both at once. */
export type Victim = "app" | "redis" | "both";

/** How much is delivered, and what is killed meanwhile. */
export interface FaultPlan {
  /** Elements to be acknowledged before the run ends. */
  readonly events: number;
  readonly perDelivery: number;
  readonly deliveriesPerSecond: number;
  /** In order, at equal distances. */
  readonly kills: readonly Victim[];
  /** Of 1,000 elements, how many always fail and how many end the process. */
  readonly failing?: number;
  readonly killing?: number;
}

/** What came of it. */
export interface FaultFigures {
  readonly acknowledged: number;
  readonly lost: number;
  /** Acknowledged elements whose handler began more than twice; poison is not counted. */
  readonly moreThanTwice: number;
  readonly answers: Readonly<Record<string, number>>;
  /** From the moment that everything is back to the first 2xx, at its longest. */
  readonly recoveryMs: number;
  readonly parked: number;
  /** Most starts of one poisonous element. */
  readonly poisonStarts: number;
  readonly seconds: number;
  /** Deaths that poison brought about. */
  readonly deaths: number;
}

/** Deliver, kill, start again, wait until all is handled, and count. */
export async function runFaults(plan: FaultPlan): Promise<FaultFigures> {
  const server = await startRedis();
  const log = openLog();
  const name = randomUUID();
  const startedMs = performance.now();
  const answers: Record<string, number> = {};
  const acknowledged: string[] = [];
  const posting = new Set<Promise<void>>();
  let app: App | undefined;
  let port = 0;
  let deaths = 0;
  let expected = false;
  let back: number | undefined;
  let recoveryMs = 0;
  let sent = 0;

  const launched = (): App => {
    if (!app) throw new Error("the application was not started");
    return app;
  };
  const launch = async (): Promise<void> => {
    const settings = { url: server.url, name, log: log.path, seen: true, patient: false, port };
    const started = await startApp({ ...settings, lockMs: 2_000 });
    app = started;
    ({ port } = started);
    void started.ended.then(async () => {
      // Poison ends the process: what watches over it starts it again, as in production.
      if (expected || app !== started) return;
      deaths++;
      await launch();
    });
  };
  const post = async (): Promise<void> => {
    const number = sent++;
    const ids = Array.from({ length: plan.perDelivery }, (_, at) => idOf(plan, number, at));
    const { status } = await launched().post(payloadsOf(ids));
    const answer = String(status ?? "broken");
    answers[answer] = (answers[answer] ?? 0) + 1;
    if (status !== 202) return;
    acknowledged.push(...ids);
    if (back !== undefined) recoveryMs = Math.max(recoveryMs, performance.now() - back);
    back = undefined;
  };
  const kill = async (victim: Victim): Promise<void> => {
    expected = true;
    await Promise.all([
      victim !== "redis" && launched().kill("SIGKILL"),
      victim !== "app" && server.kill("SIGKILL"),
    ]);
    if (victim !== "app") await server.start();
    if (victim !== "redis") await launch();
    expected = false;
    back = performance.now();
  };

  try {
    await launch();
    const step = plan.events / (plan.kills.length + 1);
    let killed = 0;
    let killing = Promise.resolve();
    while (acknowledged.length < plan.events) {
      const victim = plan.kills[killed];
      if (victim && acknowledged.length >= step * (killed + 1)) {
        // The sender does not stop for it.
        await killing;
        killing = kill(victim);
        killed++;
      }
      const posted = post().finally(() => posting.delete(posted));
      posting.add(posted);
      await pause(1_000 / plan.deliveriesPerSecond);
    }
    await killing;
    await Promise.all(posting);
    const { client, close } = await openClient(server.url);
    const inbox = createRedisInbox(client, { name, work: false, onError() {} });
    let counts = await inbox.counts();
    while (counts.waiting + counts.active + counts.delayed > 0) {
      await pause(100);
      counts = await inbox.counts();
    }
    await inbox.close();
    close();
    expected = true;
    await app?.kill();
    const starts = log.starts();
    const ends = log.ends();
    const isPoison = (id: string): boolean => id.startsWith("bad-") || id.startsWith("kill-");
    const good = acknowledged.filter((id) => !isPoison(id));
    const poison = [...starts].filter(([id]) => isPoison(id)).map(([, count]) => count);
    return {
      acknowledged: acknowledged.length,
      lost: good.filter((id) => !ends.has(id)).length,
      moreThanTwice: good.filter((id) => (starts.get(id) ?? 0) > 2).length,
      answers,
      recoveryMs: Math.round(recoveryMs),
      parked: counts.parked,
      poisonStarts: Math.max(0, ...poison),
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      deaths,
    };
  } finally {
    expected = true;
    await app?.kill();
    await server.close();
    log.close();
  }
}

function idOf({ failing = 0, killing = 0, perDelivery }: FaultPlan, number: number, at: number) {
  const place = (number * perDelivery + at) % 1_000;
  const kind = place < killing ? "kill" : place < killing + failing ? "bad" : "good";
  return `${kind}-${number}-${at}`;
}
