#!/usr/bin/env node
// Measures what riskgate catches: public lists that it does not include, and generated attacks.
//
//   node bench/evaluate.mjs                              with the built-in list and one published feed
//   node bench/evaluate.mjs --feeds-dir feeds            also with the feeds of `riskgate feeds init`
//   node bench/evaluate.mjs --feeds-dir feeds --addresses abusive.txt
//   node bench/evaluate.mjs --docs                       writes the tables to docs/evaluation.md
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = new URL("../docs/evaluation.md", import.meta.url);

const { values } = parseArgs({
  options: {
    "feeds-dir": { type: "string" },
    addresses: { type: "string", multiple: true, default: [] },
    docs: { type: "boolean", default: false },
  },
});
const { "feeds-dir": feedsDir, addresses, docs } = values;

prepare();
// Only now, because the first run installs what they import.
const { evaluateAddresses, evaluateEmails } = await import("./evaluation/evaluated-lists.mjs");
const { evaluateTraces } = await import("./evaluation/evaluated-traces.mjs");

const parts = [
  `Measured on ${new Date().toISOString().slice(0, 10)}.`,
  evaluateEmails(),
  ...(feedsDir === undefined ? [] : [evaluateAddresses(feedsDir, addresses)]),
  evaluateTraces(),
];
const text = parts.join("\n\n");
console.log(text);
if (docs) writePage(text);

/** @param {string} tables */
function writePage(tables) {
  const [open, close] = ["<!-- evaluation: begin -->", "<!-- evaluation: end -->"];
  const before = readFileSync(page, "utf8");
  const [start, end] = [before.indexOf(open), before.indexOf(close)];
  if (start < 0 || end < start)
    throw new Error(`${basename(page.pathname)} has no place for tables`);
  writeFileSync(page, `${before.slice(0, start)}${open}\n\n${tables}\n\n${before.slice(end)}`);
  execFileSync("npx", ["prettier", "--write", fileURLToPath(page)], { cwd: root });
}

/** Installs the lists, and builds riskgate. */
function prepare() {
  const env = { ...process.env, npm_config_pnpmfile: undefined };
  const stdio = /** @type {const} */ (["ignore", "ignore", "inherit"]);
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const install = ["--yes", "pnpm@10", "install", "--frozen-lockfile", "--prefer-offline"];
  execFileSync("npx", install, { cwd: folder, env, stdio });
  execFileSync(process.execPath, ["tools/build.mjs"], { cwd: root, env, stdio });
}
