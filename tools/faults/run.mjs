// Kills processes under load, and counts whether everything they acknowledged is handled.
//
//   node tools/faults/run.mjs                            every scenario, in its short form
//   node tools/faults/run.mjs storm --inbox redis        one scenario, one store
//   node tools/faults/run.mjs --long --scale 0.25        a quarter of the long form
//   node tools/faults/run.mjs --list
//
// Each scenario prints its figures as a line of JSON. The exit code is 1 if a guarantee was broken.
import { parseArgs } from "node:util";
import { cluster } from "./cluster.mjs";
import { hasPostgresServer } from "./postgres-server.mjs";
import { hasRedis } from "./redis-server.mjs";
import { outage } from "./outage.mjs";
import { poison } from "./poison.mjs";
import { receivers } from "./receivers.mjs";
import { rolling } from "./rolling.mjs";
import { shutdown } from "./shutdown.mjs";
import { storm } from "./storm.mjs";

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} about
 * @property {readonly string[]} stores It runs once with each.
 * @property {(settings: RunSettings) => Promise<Result>} run
 *
 * @typedef {object} RunSettings
 * @property {string} store
 * @property {boolean} isLong
 * @property {number} scale Part of the long form to run.
 *
 * @typedef {object} Result
 * @property {Record<string, unknown>} figures
 * @property {string[]} broken Broken guarantees, described.
 */

/** @type {readonly Scenario[]} */
const SCENARIOS = [storm, poison, shutdown, cluster, rolling, receivers, outage];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inbox: { type: "string" },
    short: { type: "boolean" },
    long: { type: "boolean", default: false },
    scale: { type: "string", default: "1" },
    list: { type: "boolean", default: false },
  },
});

if (values.list) {
  for (const { name, stores, about } of SCENARIOS) {
    console.log(`${name.padEnd(10)} ${stores.join(", ").padEnd(15)} ${about}`);
  }
} else {
  process.exitCode = (await runAll()) ? 0 : 1;
}

async function runAll() {
  const chosen = SCENARIOS.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const settings = { isLong: values.long, scale: Number(values.scale) };
  let kept = true;
  for (const { name, stores, run } of chosen) {
    for (const store of stores) {
      if (values.inbox !== undefined && values.inbox !== store) continue;
      if (store === "redis" && !hasRedis) {
        console.log(`${name} ${store}: skipped, redis-server is not installed`);
        continue;
      }
      if (store === "postgres" && !hasPostgresServer) {
        console.log(`${name} ${store}: skipped, PostgreSQL is not installed`);
        continue;
      }
      const { figures, broken } = await run({ store, ...settings });
      console.log(`${name} ${store}: ${JSON.stringify(figures)}`);
      for (const promise of broken) console.log(`${name} ${store}: BROKEN: ${promise}`);
      kept &&= broken.length === 0;
    }
  }
  return kept;
}
