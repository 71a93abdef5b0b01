#!/usr/bin/env node
// How long a rehearsal takes and how much memory: `node bench/rehearsal.mjs [lines]`, after a build.
// It makes a log of so many lines, by default ten million (4 GB), in the folder for temporary files.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
const ROUTES = ["POST /signup", "POST /login", "POST /reset", "POST /invite", null];
const IDENTITIES = 100_000;
const BLOCK = 2_000;
/** Prints the peak of the resident memory at the end, in bytes. */
const WATCH =
  'process.on("exit", () => process.stderr.write(`peak ${process.resourceUsage().maxRSS * 1024}\\n`))';

const lines = Number(process.argv[2] ?? 10_000_000);
const folder = mkdtempSync(join(tmpdir(), "riskgate-rehearsal-"));
const log = join(folder, "decisions.jsonl");
const labels = join(folder, "labels.csv");
try {
  writeLog();
  const megabytes = Math.round(statSync(log).size / 1e6);
  console.log(`${lines} lines, ${megabytes} MB, ${IDENTITIES} identities`);
  await measure("thresholds", []);
  await measure("thresholds and labels", ["--labels", labels]);
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} name @param {string[]} more */
async function measure(name, more) {
  const start = performance.now();
  const command = ["rehearse", "--log", log, "--reject-above", "70", "--flag-above", "30"];
  const args = ["--import", `data:text/javascript,${encodeURIComponent(WATCH)}`, MAIN];
  const child = spawn(process.execPath, [...args, ...command, "--format", "json", ...more]);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  await new Promise((resolve) => child.once("close", resolve));
  const seconds = (performance.now() - start) / 1000;
  const peak = Number(/peak (\d+)/.exec(err)?.[1] ?? Number.NaN);
  const { decisions, changed, broken } = JSON.parse(out);
  const rate = Math.round(lines / seconds);
  console.log(
    `${name}: ${seconds.toFixed(1)} s, ${rate} lines/s, peak ${Math.round(peak / 1e6)} MB ` +
      `(decisions ${decisions}, changed ${changed}, broken ${broken})`,
  );
}

/** Scores in [0, 100), a few flags, two digests: the same on every run. */
function writeLog() {
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const digests = Array.from({ length: IDENTITIES }, (_, at) =>
    createHash("sha256").update(String(at)).digest("hex").slice(0, 32),
  );
  const file = openSync(log, "w");
  for (let at = 0; at < lines; at += BLOCK) {
    let text = "";
    for (let one = 0; one < Math.min(BLOCK, lines - at); one++) {
      text += `${JSON.stringify(record((at + one) / lines, random, digests))}\n`;
    }
    writeSync(file, text);
  }
  closeSync(file);
  const known = openSync(labels, "w");
  digests.forEach((digest, at) => writeSync(known, `${digest},${at % 10 ? "good" : "abuse"}\n`));
  closeSync(known);
}

/** @param {number} share @param {() => number} random @param {string[]} digests */
function record(share, random, digests) {
  const ipScore = Math.round(random() ** 3 * 1000) / 10;
  const emailScore = Math.round(random() ** 4 * 1000) / 10;
  const score = Math.max(ipScore, emailScore);
  const digest = () => digests[Math.floor(random() * IDENTITIES)];
  return {
    v: 1,
    at: new Date(Date.UTC(2026, 0, 1) + share * 30 * 86_400_000).toISOString(),
    route: ROUTES[Math.floor(random() * ROUTES.length)],
    outcome: score > 80 ? "reject" : score > 40 ? "flag" : "allow",
    enforced: true,
    because: "score",
    score,
    ip: {
      state: "scored",
      score: ipScore,
      source: "live",
      flags: random() < 0.2 ? ["is_vpn", "is_datacenter"] : [],
      country: "DEU",
      digest: digest(),
    },
    email: {
      state: "scored",
      score: emailScore,
      source: "cache",
      flags: random() < 0.1 ? ["is_disposable"] : [],
      digest: digest(),
    },
    policy: { flagAbove: 40, rejectAbove: 80 },
  };
}
