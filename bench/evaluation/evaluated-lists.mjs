import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSignUpTrace } from "@riskgate/testing";
import { FLAG_ABOVE, REJECT_ABOVE } from "@riskgate/core";
import { percent, table } from "../lib/evaluation-table.mjs";

const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** A file of a package that `bench/` installs. @param {string} name @param {string} file */
const fileOf = (name, file) =>
  readFileSync(new URL(`../node_modules/${name}/${file}`, import.meta.url), "utf8");

/** @param {string} text */
const linesOf = (text) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

/** Lists of disposable domains that riskgate does not include. */
const DISPOSABLE = {
  fakefilter: () =>
    Object.keys(
      /** @type {{ domains: object }} */ (JSON.parse(fileOf("fakefilter", "json/data.json")))
        .domains,
    ),
  "burner-email-providers": () => linesOf(fileOf("burner-email-providers", "emails.txt")),
};

/** The published list `disposable-email-domains` of the catalogue, as npm has it. */
const feed = () =>
  /** @type {string[]} */ (
    JSON.parse(fileOf("disposable-email-domains-js", "dist/dict/disposable_email_blocklist.json"))
  );

/** Well-known providers of permanent mailboxes, most of them. */
const providers = () =>
  /** @type {string[]} */ (JSON.parse(fileOf("email-providers", "common.json")));

export function evaluateEmails() {
  const folder = mkdtempSync(join(tmpdir(), "riskgate-evaluation-"));
  writeFileSync(join(folder, "disposable-email-domains.txt"), feed().join("\n"));
  try {
    const rows = Object.entries(DISPOSABLE).flatMap(([name, read]) => {
      const domains = read();
      return [undefined, folder].map((feeds) => emailRow(name, domains, feeds));
    });
    const wrong = flaggedOf(providers(), folder).map((domain) => `\`${domain}\``);
    return [
      "### Emails",
      table(
        ["List", "Domains", "Feeds", "Recall", "Missed", "Providers flagged", "Precision"],
        rows,
      ),
      `Providers flagged: ${wrong.join(", ")}.`,
    ].join("\n\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} name @param {readonly string[]} domains @param {string | undefined} feeds */
function emailRow(name, domains, feeds) {
  const ordinary = providers();
  const caught = flaggedOf(domains, feeds).length;
  const wrong = flaggedOf(ordinary, feeds).length;
  return [
    `\`${name}\``,
    domains.length.toLocaleString("en"),
    feeds === undefined ? "built-in list" : "and `disposable-email-domains`",
    percent(caught / domains.length),
    (domains.length - caught).toLocaleString("en"),
    `${wrong} of ${ordinary.length}`,
    percent(caught / (caught + wrong)),
  ];
}

/**
 * Evaluates files of abusive addresses, and the homes of ordinary visitors.
 *
 * @param {string} feedsDir
 * @param {readonly string[]} files
 */
export function evaluateAddresses(feedsDir, files) {
  const homes = createSignUpTrace({ seed: 11, visitors: 20_000 })
    .filter(({ kind }) => kind === "household")
    .map(({ ip }) => ip);
  const lists = [
    ...files.map((file) => [`\`${basename(file)}\``, linesOf(readFileSync(file, "utf8"))]),
    ["Homes of the simulated day", [...new Set(homes)]],
  ];
  const rows = /** @type {[string, string[]][]} */ (lists).map(([name, list]) => {
    const scores = scoresOf("ip", list, feedsDir);
    const share = (/** @type {number} */ above) =>
      percent(scores.filter((score) => score > above).length / scores.length);
    return [
      name,
      list.length.toLocaleString("en"),
      share(0),
      share(FLAG_ABOVE),
      share(REJECT_ABOVE),
    ];
  });
  const names = readdirSync(feedsDir).filter((name) => name.endsWith(".txt"));
  return [
    "### IP addresses",
    `Feeds: ${names.map((name) => `\`${basename(name, ".txt")}\``).join(", ")}.`,
    table(["Addresses", "Number", "Any points", "Flagged", "Refused"], rows),
  ].join("\n\n");
}

/** The domains at which a mailbox is flagged. @param {readonly string[]} domains @param {string} [feeds] */
function flaggedOf(domains, feeds) {
  const emails = domains.map((domain) => `ann.miller@${domain}`);
  const scores = scoresOf("email", emails, feeds);
  return domains.filter((_, index) => (scores[index] ?? 0) > FLAG_ABOVE);
}

/**
 * Looks up a list with the command, as an operator would.
 *
 * @param {"ip" | "email"} subject
 * @param {readonly string[]} list
 * @param {string} [feeds]
 * @returns {number[]}
 */
function scoresOf(subject, list, feeds) {
  const options = feeds === undefined ? [] : ["--feeds-dir", feeds];
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [COMMAND, "lookup", subject, "--json", "--quiet", ...options],
    { input: list.join("\n"), encoding: "utf8", maxBuffer: 1e9 },
  );
  // The status is 1 if a line of the list is not an address.
  if (status !== 0 && status !== 1) throw new Error(stderr);
  const results = linesOf(stdout).map(
    (line) => /** @type {{ assessment?: { risk_score: number } }} */ (JSON.parse(line)),
  );
  if (results.length !== list.length) throw new Error("some lines have no result");
  return results.map(({ assessment }) => assessment?.risk_score ?? 0);
}
