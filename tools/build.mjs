// Compiles every package to `dist/cjs` and every example to `dist`, and gives each package its ES
// module: an entry that exports by name what the CommonJS flavour has. So a process that loads both
// flavours has one copy of everything, and an `import` is spared a hundred small ES modules, each of
// which costs far more than the same file as CommonJS. The compiler knows what is up to date.
//
// A package whose `main` is `dist/index.cjs` has its modules linked into one file besides, because to
// open each of them takes Node longer than to run it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, posix } from "node:path";
import { rolldown } from "rolldown";
import { withLock } from "./lock.mjs";
import { projectsIn, root, tsc } from "./workspace.mjs";

const require = createRequire(import.meta.url);

/** `main` of a package whose modules are linked. */
const LINKED = "./dist/index.cjs";

process.exitCode = await withLock(join(root, ".riskgate/build.lock"), build);

async function build() {
  const started = performance.now();
  const packages = projectsIn("packages");
  const examples = projectsIn("examples");
  console.log(`build: ${packages.length} packages, ${examples.length} examples`);

  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsc, "--build", "--pretty", "false", ...[...packages, ...examples].map(({ path }) => path)],
    { cwd: root, encoding: "utf8" },
  );
  for (const line of `${stdout}${stderr}`.split("\n")) if (line !== "") console.error(line);

  for (const { path } of packages) {
    dropOrphans(join(path, "dist/cjs"), join(path, "src"));
    writeChanged(join(path, "dist/cjs/package.json"), '{"type":"commonjs"}\n');
  }
  for (const { path } of examples) dropOrphans(join(path, "dist"), join(path, "src"));
  // What does not compile may not load, and what is wrong has been told.
  if (status === 0) {
    const linked = packages.filter(({ manifest }) => manifest.main === LINKED);
    await Promise.all(linked.map(({ path }) => writeLinked(path)));
    for (const { path, manifest } of packages) writeEntry(path, manifest.main);
  }

  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(status === 0 ? `build: done in ${seconds} s` : `build: FAILED after ${seconds} s`);
  return status ?? 1;
}

/**
 * Link the modules of a package into one file, and write the entry that names what it exports.
 *
 * The entry is a file of its own, since Node reads through the CommonJS module that is imported to
 * find these names, and a long one costs it 10 MiB.
 *
 * @param {string} path
 */
async function writeLinked(path) {
  const bundle = await rolldown({
    input: join(path, "src/index.ts"),
    platform: "node",
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
  });
  // As CommonJS has it: in Jest, for one, `import()` is not there.
  const { output } = await bundle.generate({ format: "cjs", dynamicImportInCjs: false });
  await bundle.close();
  const [{ code, exports: names }] = output;
  const lines = names.sort().map((name) => `exports.${name} = linked.${name};\n`);
  writeChanged(join(path, "dist/linked.cjs"), code);
  writeChanged(
    join(path, LINKED),
    `"use strict";\nconst linked = require("./linked.cjs");\n${lines.join("")}`,
  );
}

/**
 * Write the ES module of a package, with its types.
 *
 * Every value is named, because bundlers and other loaders need not know what a CommonJS module
 * exports.
 *
 * @param {string} path
 * @param {string} main The CommonJS module.
 */
function writeEntry(path, main) {
  const out = join(path, "dist/esm");
  const exported = /** @type {object} */ (require(join(path, main)));
  const names = Object.keys(exported).sort();
  writeChanged(
    join(out, "index.js"),
    `export {\n  ${names.join(",\n  ")},\n} from "${posix.relative("dist/esm", main)}";\n`,
  );
  writeChanged(join(out, "index.d.ts"), 'export * from "../cjs/index.js";\n');
  for (const file of readdirSync(out)) {
    if (!/^index\.(?:js|d\.ts)$/.test(file)) rmSync(join(out, file), { recursive: true });
  }
}

/**
 * Remove the output of sources that are gone, which would otherwise be published for ever.
 *
 * @param {string} out
 * @param {string} src
 */
function dropOrphans(out, src) {
  if (!existsSync(out)) return;
  for (const file of readdirSync(out, { recursive: true, encoding: "utf8" })) {
    const source = file.replace(/(\.d\.ts|\.js)(\.map)?$/, ".ts");
    if (source !== file && !existsSync(join(src, source))) rmSync(join(out, file));
  }
}

/**
 * Write a file unless it holds the text already: a new date would make its project out of date.
 *
 * @param {string} file
 * @param {string} text
 */
function writeChanged(file, text) {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
