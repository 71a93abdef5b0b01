// Runs the adapter contract on every adapter and writes the results to `docs/adapters.md`: groups of
// cases by adapter and runtime. `node tools/adapter-table.mjs` takes some minutes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJson, root } from "./workspace.mjs";

/** Groups of cases by id. A case belongs to the first group that matches. */
const GROUPS = /** @type {const} */ ([
  ["Body limits while a body arrives", /^WHR-(?:13|14|18|36|37)$/],
  ["Webhooks: signature, head, content, handlers", /^WHR/],
  ["A client that leaves", /^GAT-16$/],
  ["Gate: scores, addresses, outages, hooks", /^(?:GAT|R2)/],
  ["Challenges", /^CHL/],
  ["Login watch", /^LGN/],
  ["Equal answers, other routes, long life", /./],
]);
const BEGIN = "<!-- table: begin -->";
const END = "<!-- table: end -->";

const folder = mkdtempSync(join(tmpdir(), "riskgate-table-"));
const report = join(folder, "report.json");
const tests = ["express", "fastify", "koa", "nest", "web", "hono", "lambda", "next"].map(
  (name) => `packages/${name}/test/`,
);
spawnSync(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--mode",
    "full",
    "--testNamePattern",
  ].concat(
    ["[A-Z]+-?[0-9]+", "--reporter=json", `--outputFile=${report}`],
    tests.map((path) => `${path}contract`),
    tests.map((path) => `${path}full/contract`),
  ),
  { cwd: root, stdio: "inherit" },
);

/** @typedef {{ status: string, title: string, ancestorTitles: string[] }} Assertion */
const { testResults } = /** @type {{ testResults: { assertionResults: Assertion[] }[] }} */ (
  readJson(report)
);
rmSync(folder, { recursive: true });

/** Cases that passed, by adapter and group. @type {Map<string, Map<string, Set<string>>>} */
const passed = new Map();
for (const { status, title, ancestorTitles } of testResults.flatMap(
  (file) => file.assertionResults,
)) {
  const adapter = ancestorTitles[0]?.replaceAll("'", "") ?? "";
  const id = /[A-Z]+\d*(?:-\d+)?/.exec(title)?.[0] ?? "";
  const group = GROUPS.find(([, pattern]) => pattern.test(id))?.[0] ?? "";
  /** @type {Map<string, Set<string>>} */
  const groups = passed.get(adapter) ?? new Map([]);
  /** @type {Set<string>} */
  const cases = groups.get(group) ?? new Set();
  // The runner truncates long titles of a table, so only their beginnings are compared.
  if (status === "passed") cases.add(title.replaceAll("'", "").slice(0, 40));
  passed.set(adapter, groups.set(group, cases));
}

const adapters = [...passed.keys()].sort();
const cell = (/** @type {string} */ adapter, /** @type {string} */ group) => {
  const all = Math.max(...[...passed.values()].map((groups) => groups.get(group)?.size ?? 0));
  const count = passed.get(adapter)?.get(group)?.size ?? 0;
  if (count === 0) return "none";
  return count === all ? `all ${all}` : `${count} of ${all}`;
};
const table = [
  `| Adapter | ${GROUPS.map(([group]) => group).join(" | ")} |`,
  `| --- |${" --- |".repeat(GROUPS.length)}`,
  ...adapters.map(
    (name) => `| ${name} | ${GROUPS.map(([group]) => cell(name, group)).join(" | ")} |`,
  ),
].join("\n");
const document = join(root, "docs/adapters.md");
const text = readFileSync(document, "utf8");
const before = text.slice(0, text.indexOf(BEGIN));
const after = text.slice(text.indexOf(END) + END.length);
writeFileSync(document, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
