// Builds every package into `dist` and compiles every example. Each entry of a package gets an ES
// module, a CommonJS file and types for both.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { writeApiTypes } from "./api-types/write.mjs";
import { bundle } from "./bundle.mjs";
import { withLock } from "./lock.mjs";
import { buildPages } from "./pages.mjs";
import { projectsIn, root, tsc } from "./workspace.mjs";

// Compilers that run at once read each other's unfinished files.
process.exitCode = await withLock(join(root, ".riskgate/build.lock"), buildAll);

async function buildAll() {
  const started = performance.now();
  const packages = projectsIn("packages");
  const examples = projectsIn("examples");
  console.log(`build: ${packages.length} packages, ${examples.length} examples`);
  await writeApiTypes();

  const projects = [...packages, ...examples].map(({ path }) => path);
  const command = [tsc, "--build", "--pretty", "false", ...projects];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ["ignore", 2, 2] });
  // Code with type errors is not bundled, so `dist` stays as it was.
  if (status === 0) await Promise.all(packages.map(writeDist));

  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(status === 0 ? `build: done in ${seconds} s` : `build: FAILED after ${seconds} s`);
  return status ?? 1;
}

/** @param {import("./workspace.mjs").Project} project */
async function writeDist(project) {
  const dist = join(project.path, "dist");
  const files = [...(await bundle(project)), ...(await buildPages(project)), ...typesOf(project)];
  for (const { file, text } of files) writeChanged(join(dist, file), text);
  // Output of deleted sources would be published otherwise.
  const sources = filesIn(join(project.path, "src")).map((file) => file.replace(/\.ts$/, ".d.ts"));
  const current = new Set([
    ...files.map(({ file }) => file),
    ...sources.map((file) => `types/${file}`),
  ]);
  for (const file of filesIn(dist)) {
    if (!current.has(file) && !file.endsWith(".tsbuildinfo")) rmSync(join(dist, file));
  }
}

/**
 * Returns the types of the entries. Both flavours lead to the same declarations, so that a value of
 * one fits the other. The declarations count as CommonJS, which both can import.
 *
 * @param {import("./workspace.mjs").Project} project
 */
function typesOf({ entries }) {
  const files = [{ file: "types/package.json", text: '{"type":"commonjs"}\n' }];
  for (const { name, source } of entries) {
    const declarations = source.replace(/^src\/(.*)\.ts$/, "./types/$1.js");
    const text = `export * from "${declarations}";\n`;
    files.push({ file: `${name}.d.ts`, text }, { file: `${name}.d.cts`, text });
  }
  return files;
}

/**
 * Lists the files below a folder, with `/` between the parts of their paths.
 *
 * @param {string} folder
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
}

/**
 * Writes a file unless it has the text already, at once, because running processes may load it.
 *
 * @param {string} file
 * @param {string} text
 */
function writeChanged(file, text) {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
