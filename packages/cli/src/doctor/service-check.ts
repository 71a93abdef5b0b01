import { isRiskGateError } from "@riskgate/core";
import type { AdminAnswer } from "@riskgate/api-types";
import type { AdminClient } from "../admin/admin-client.js";
import { counted } from "../terminal/counted.js";
import { about, type Finding } from "./finding.js";

/** Checks a service through its administration: its address data, its processes and their clocks. */
export async function* checkService(client: AdminClient): AsyncGenerator<Finding> {
  try {
    yield* checkFeeds(client);
    yield* checkSystem(client);
  } catch (error) {
    if (!isRiskGateError(error)) throw error;
    const remedy = error.hint ?? "Check the administration URL and the token";
    yield about("the administration responds").fault(error.message, remedy);
  }
}

async function* checkFeeds(client: AdminClient): AsyncGenerator<Finding> {
  const verdicts = about("address data is loaded");
  const { feeds } = await client.call("GET /feeds");
  const ofAddresses = feeds.filter(({ kind, size }) => kind !== "disposable" && size > 0);
  const entries = ofAddresses.reduce((sum, { size }) => sum + size, 0);
  yield entries > 0
    ? verdicts.ok(`${counted(ofAddresses.length, "feed")}, ${counted(entries, "entry", "entries")}`)
    : verdicts.warning(
        "no address data: no feed of addresses is loaded, so an address scores 0 until an application reports it",
        "Choose lists with `riskgate feeds init`, and restart the service",
      );
}

/** Difference of a clock from that of the database of which its process warns. */
const MAX_DIFFERENCE_MS = 2_000;

/** Detection is usually milliseconds behind. */
const MAX_LAG_MS = 10_000;

/** Processes and applications that are named. */
const MAX_SHOWN = 5;

async function* checkSystem(client: AdminClient): AsyncGenerator<Finding> {
  const { processes, applications } = await client.call("GET /system");
  yield ownersIn(processes, applications);
  const clocks = about("the clocks agree");
  const wrong = processes.filter((one) => Math.abs(one.clockAheadMs) > MAX_DIFFERENCE_MS);
  yield wrong.length === 0
    ? clocks.ok(counted(processes.length, "process", "processes"))
    : clocks.warning(
        listed(wrong, ({ name, clockAheadMs }) => `${name} is ${differenceText(clockAheadMs)}`),
        "Synchronise the clocks of these machines with that of the database",
      );
  const lag = about("detection keeps up");
  const late = applications.filter(({ lagMs }) => lagMs > MAX_LAG_MS);
  yield late.length === 0
    ? lag.ok(counted(applications.length, "application"))
    : lag.warning(
        listed(late, ({ name, lagMs }) => `${name} is ${secondsText(lagMs)} behind`),
        "Check the load of the database and the log of the process, or start another process",
      );
}

function ownersIn(
  processes: AdminAnswer<"GET /system">["processes"],
  applications: AdminAnswer<"GET /system">["applications"],
): Finding {
  const verdicts = about("each application has a process");
  const shown = listed(
    processes,
    ({ name, partitions }) => `${name} owns ${counted(partitions, "partition")}`,
  );
  const without = applications.filter(({ owner }) => owner === null);
  return without.length === 0
    ? verdicts.ok(shown)
    : verdicts.warning(
        `${counted(without.length, "application")} without a process; ${shown}`,
        "Check again in a few seconds: another process takes over. Then check the logs of all processes",
      );
}

function listed<T>(items: readonly T[], textOf: (item: T) => string): string {
  const shown = items.slice(0, MAX_SHOWN).map(textOf).join(", ");
  return items.length > MAX_SHOWN ? `${shown} and ${items.length - MAX_SHOWN} more` : shown;
}

function differenceText(aheadMs: number): string {
  return `${secondsText(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead" : "behind"}`;
}

function secondsText(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
