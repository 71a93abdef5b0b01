import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { Application, Converter, PageEvent, ReflectionKind, TSConfigReader } from "typedoc";
import { root } from "../../tools/workspace.mjs";
import { packages } from "./site-map.mjs";

const docs = join(root, "docs");
const out = join(docs, "api");

/** A command and pages for a browser have a README, and nothing that an application calls. */
const WITHOUT_API = new Set(["cli", "console"]);

const readmes = new Map(packages.map(({ name, path }) => [name, join(path, "README.md")]));

/** Names of modules by their sources, which TypeDoc spells with `/`: a package, or an entry of it. */
const modules = new Map(
  packages
    .filter(({ name }) => !WITHOUT_API.has(name))
    .flatMap(({ path, name, entries }) =>
      entries
        // Outside semantic versioning, for our packages alone.
        .filter((entry) => entry.name !== "internal")
        .map((entry) => [
          join(path, entry.source).replaceAll(sep, "/"),
          entry.name === "index" ? name : `${name}/${entry.name}`,
        ]),
    ),
);

const OPTIONS = {
  plugin: ["typedoc-plugin-markdown"],
  tsconfig: join(docs, "tsconfig.json"),
  entryPoints: [...modules.keys()],
  out,
  name: "Packages",
  readme: "none",
  logLevel: "Warn",
  // `types` has checked them.
  skipErrorChecking: true,
  validation: { invalidLink: true, notExported: true, notDocumented: false },
  excludeExternals: true,
  basePath: root,
  displayBasePath: root,
  disableGit: true,
  gitRevision: "main",
  sourceLinkTemplate: "https://github.com/riskgate/riskgate/blob/main/{path}#L{line}",
  router: "member",
  entryFileName: "index",
  hidePageHeader: true,
  useCodeBlocks: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  indexFormat: "table",
  pageTitleTemplates: { module: "@riskgate/{name}" },
  tableColumnSettings: { hideSources: true, hideModifiers: true, hideInherited: true },
};

/**
 * Write the reference of the packages, from their READMEs and docstrings, into `docs/api`.
 *
 * @throws {Error} For every warning of TypeDoc, such as a link that leads nowhere.
 */
export async function writeApi() {
  const app = await Application.bootstrapWithPlugins(OPTIONS, [new TSConfigReader()]);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, nameReflections);
  app.renderer.on(PageEvent.END, namePackage);
  const project = await app.convert();
  if (project) app.validate(project);
  if (!project || app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error("the docstrings have the faults above");
  }

  rmSync(out, { recursive: true, force: true });
  await app.generateOutputs(project);
  for (const name of WITHOUT_API) {
    mkdirSync(join(out, name));
    copyFileSync(readmeOf(name), join(out, name, "index.md"));
  }
  writeFileSync(join(out, "index.md"), contents());
}

/** The packages, and what can be imported beside the main entry of each. */
function contents() {
  const rows = packages.map(({ name, manifest }) => {
    const links = [name, ...[...modules.values()].filter((one) => one.startsWith(`${name}/`))].map(
      (module) => `[\`@riskgate/${module}\`](${module}/index.md)`,
    );
    return `| ${links.join("<br>")} | ${manifest.description} |`;
  });
  return ["# Packages\n", "| Package | What it is |", "| --- | --- |", ...rows, ""].join("\n");
}

/** @param {import("typedoc").Context} context */
function nameReflections({ project }) {
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    if (parameter.name === "__namedParameters") parameter.name = "options";
  }
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    if (!module.isDeclaration()) continue;
    const name = modules.get(module.sources?.[0]?.fullFileName ?? "") ?? module.name;
    module.name = name;
    if (readmes.has(name))
      module.readme = [{ kind: "text", text: readFileSync(readmeOf(name), "utf8") }];
  }
}

/**
 * Names the package in the title of a page: the search shows titles alone, and several packages have
 * members of the same name.
 *
 * @param {{ url: string, contents?: string }} page
 */
function namePackage(page) {
  const module = page.url.split("/").slice(0, -2).join("/");
  page.contents = page.contents?.replace(
    /^# (\w[\w ]*): (.+)$/m,
    (_, /** @type {string} */ kind, /** @type {string} */ name) =>
      `# ${name}, ${kind.toLowerCase()} of @riskgate/${module}`,
  );
}

/** @param {string} name */
function readmeOf(name) {
  return readmes.get(name) ?? "";
}
