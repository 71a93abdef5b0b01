// Builds every package into `dist` and compiles every example. Of a package, `index.js` is the ES
// module, `index.cjs` the same as CommonJS, and `index.d.ts` and `index.d.cts` their types; further
// entries lie beside them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { writeApiTypes } from "./api-types/write.mjs";
import { bundle } from "./bundle.mjs";
import { withLock } from "./lock.mjs";
import { buildPages } from "./pages.mjs";
import { projectsIn, root, tsc } from "./workspace.mjs";

process.exitCode = await withLock(join(root, ".riskgate/build.lock"), build);

async function build() {
  const started = performance.now();
  const packages = projectsIn("packages");
  const examples = projectsIn("examples");
  console.log(`build: ${packages.length} packages, ${examples.length} examples`);
  await writeApiTypes();

  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsc, "--build", "--pretty", "false", ...[...packages, ...examples].map(({ path }) => path)],
    { cwd: root, encoding: "utf8" },
  );
  for (const line of `${stdout}${stderr}`.split("\n")) if (line !== "") console.error(line);

  for (const { path } of packages) dropOrphans(join(path, "dist/types"), join(path, "src"));
  for (const { path } of examples) dropOrphans(join(path, "dist"), join(path, "src"));
  // Code with type errors is not bundled: the errors are on the screen, and `dist` stays as it was.
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
  const written = new Set(files.map(({ file }) => file));
  for (const file of filesIn(dist)) {
    if (!file.startsWith("types/") && !written.has(file)) rmSync(join(dist, file));
  }
}

/**
 * The types of the entries. Both flavours lead to the same declarations, so that a value of one
 * fits the other; these count as CommonJS, which both can import.
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
 * Remove the output of sources that no longer exist, which would be published otherwise.
 *
 * @param {string} out
 * @param {string} src
 */
function dropOrphans(out, src) {
  for (const file of filesIn(out)) {
    const source = file.replace(/(\.d\.ts|\.js)$/, ".ts");
    if (source !== file && !existsSync(join(src, source))) rmSync(join(out, file));
  }
}

/**
 * Files below a folder, with `/` between the parts of their paths.
 *
 * @param {string} folder
 */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, "/"),
    );
}

/**
 * Write a file unless it holds the text already: processes that run may load it at any time.
 *
 * @param {string} file
 * @param {string} text
 */
function writeChanged(file, text) {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
