#!/usr/bin/env node
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HELP, readArguments } from "./lib/arguments.mjs";
import { compare } from "./lib/comparison.mjs";
import { document } from "./lib/docs.mjs";
import { describeMachine, installedVersions } from "./lib/machine.mjs";
import { quick } from "./lib/settings.mjs";
import { caseNote, caseTable, targetTable } from "./lib/table.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const { names, rounds, json, docs, help, problem } = readArguments(process.argv.slice(2));
if (help || problem !== undefined) {
  if (problem !== undefined) console.error(`${problem}\n`);
  console.log(HELP);
  process.exit(help ? 0 : 2);
}

prepare();
const { machine, node } = describeMachine();
const versions = installedVersions();
const list = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
console.log(`${machine}\n${node}\n${list.join(", ")}\n`);

const measuredOn = `${new Date().toISOString().slice(0, 10)}, ${node}`;
const results = [];
const broken = [];
for (const name of names) {
  try {
    const result = await compare(name, { quick, rounds, measuredOn, progress, report: show(name) });
    results.push(result);
    if (docs) document(result);
  } catch (error) {
    progress("");
    broken.push(name);
    console.error(`${name} failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  }
}

const targets = targetTable(results.flatMap(({ cases }) => cases));
if (targets) console.log(`Targets\n\n${targets}\n`);
if (json)
  writeFileSync(json, `${JSON.stringify({ machine, node, versions, quick, results }, null, 2)}\n`);
console.log(
  broken.length === 0
    ? `${results.length} comparisons done`
    : `${results.length} comparisons done, ${broken.length} failed: ${broken.join(", ")}`,
);
// Handles that a peer leaves open must not keep the process alive.
process.exit(broken.length === 0 ? 0 : 1);

/** Installs missing or outdated dependencies, and builds riskgate. */
function prepare() {
  // pnpm passes the settings of the outer workspace on; the peers' workspace has no pnpmfile.
  const env = { ...process.env, npm_config_pnpmfile: undefined };
  /** @param {string} command @param {string[]} args @param {string} cwd */
  const run = (command, args, cwd) =>
    execFileSync(command, args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  const root = fileURLToPath(new URL("..", import.meta.url));
  for (const [place, what] of /** @type {const} */ ([
    [root, "riskgate"],
    [folder, "the peers"],
  ])) {
    if (isInstalled(place)) continue;
    progress(`installing ${what}`);
    run("npx", ["--yes", "pnpm@10", "install", "--frozen-lockfile"], place);
  }
  progress("building riskgate");
  run(process.execPath, ["tools/build.mjs"], root);
  progress("");
}

/** Compares the lockfile with the copy in the installation. @param {string} place */
function isInstalled(place) {
  try {
    const [wanted, found] = ["pnpm-lock.yaml", "node_modules/.pnpm/lock.yaml"].map((name) =>
      readFileSync(join(place, name), "utf8"),
    );
    return wanted === found;
  } catch {
    return false;
  }
}

/** Shows progress: one line that is overwritten, or separate lines in a file or pipe. @param {string} text */
function progress(text) {
  if (!process.stderr.isTTY) {
    if (text) process.stderr.write(`${text}\n`);
  } else process.stderr.write(`\r\u001b[K${text.slice(0, process.stderr.columns - 1)}`);
}

/** @param {string} name @returns {(result: import("./lib/rounds.mjs").CaseResult) => void} */
function show(name) {
  return (result) => {
    progress("");
    console.log(`${name}: ${result.name} (${caseNote(result)})\n\n${caseTable(result)}\n`);
  };
}
