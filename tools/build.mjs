// Compiles every package and example to `dist/esm` or `dist`, and every published package to
// `dist/cjs` as well. The compiler keeps track of what is up to date.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { withLock } from "./lock.mjs";
import { projectsIn, readJson, root, tsc } from "./workspace.mjs";

const scratch = join(root, ".riskgate");

process.exitCode = withLock(join(scratch, "build.lock"), build);

function build() {
  const started = performance.now();
  const packages = projectsIn("packages");
  const examples = projectsIn("examples");
  const published = packages.filter((project) => project.published);
  console.log(`build: ${packages.length} packages, ${examples.length} examples`);

  const configs = [
    ...[...packages, ...examples].map(({ path }) => path),
    ...published.map((project) => commonJsConfig(project)),
  ];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsc, "--build", "--pretty", "false", ...configs],
    { cwd: root, encoding: "utf8" },
  );
  // Both flavours report the same mistake.
  const lines = new Set(`${stdout}${stderr}`.split("\n").filter((line) => line !== ""));
  for (const line of lines) console.error(line);

  for (const { path } of published) {
    dropOrphans(join(path, "dist/esm"), join(path, "src"));
    dropOrphans(join(path, "dist/cjs"), join(path, "src"));
    writeChanged(join(path, "dist/cjs/package.json"), '{"type":"commonjs"}\n');
  }
  for (const { path } of examples) dropOrphans(join(path, "dist"), join(path, "src"));

  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(status === 0 ? `build: done in ${seconds} s` : `build: FAILED after ${seconds} s`);
  return status ?? 1;
}

/**
 * Write the project that compiles a package to CommonJS, and return its path.
 *
 * It is generated so that a package has one `tsconfig.json`. What it imports of other packages is
 * their CommonJS flavour, types included, so that its references are the projects of that flavour.
 *
 * @param {import("./workspace.mjs").Project} project
 */
function commonJsConfig({ name, path }) {
  const file = join(scratch, "cjs", `${name}.json`);
  const here = relative(dirname(file), path);
  const { references = [] } = /** @type {{ references?: { path: string }[] }} */ (
    readJson(join(path, "tsconfig.json"))
  );
  writeChanged(
    file,
    JSON.stringify({
      extends: `${here}/tsconfig.json`,
      compilerOptions: {
        module: "commonjs",
        moduleResolution: "bundler",
        verbatimModuleSyntax: false,
        customConditions: [],
        rootDir: `${here}/src`,
        outDir: `${here}/dist/cjs`,
        tsBuildInfoFile: `${here}/dist/cjs/.tsbuildinfo`,
      },
      include: [`${here}/src`],
      references: references.map((reference) => ({ path: `./${basename(reference.path)}.json` })),
    }),
  );
  return file;
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
