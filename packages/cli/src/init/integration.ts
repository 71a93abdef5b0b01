import { posix } from "node:path";
import type { Project } from "./project.js";
import type { Import, Template } from "./template.js";

/** An engine in the application or a service performs the lookups. */
export type LookupKind = "engine" | "service";

export const LOOKUP_KINDS: readonly LookupKind[] = ["engine", "service"];

export interface SourceFile {
  /** Relative to the directory of the project. */
  readonly path: string;
  readonly text: string;
}

export interface Integration {
  /** The gate and the webhook, followed by the files that use them. */
  readonly files: readonly SourceFile[];
  readonly use: readonly string[];
  /** Command that starts the application with the variables in `.env`; null on a platform. */
  readonly start: string | null;
  readonly packages: readonly string[];
}

export function writeIntegration(
  given: Project,
  template: Template,
  lookup: LookupKind,
): Integration {
  const { isBundled = false, start = "node --env-file=.env" } = template;
  const project = isBundled ? bundled(given) : given;
  const { extension, isModule, sources, dependencies } = project;
  const isTyped = extension === "ts";
  const isRequired = extension === "cjs";
  const made = lookup === "engine" ? engineOf(isModule) : CLIENT;
  const imports = merged([
    { names: ["createBlockList", ...made.names], from: template.adapter },
    ...made.imports,
    ...template.imports(project),
  ]).filter(({ types }) => isTyped || !types);
  const code = template.code({ type: (text) => (isTyped ? text : "") });
  const exported = isRequired
    ? `${code.replace(/^export /gm, "")}\nmodule.exports = { ${template.exports.join(", ")} };\n`
    : code;
  const name = posix.join(sources, "riskgate");
  const imported = isBundled ? name : `${name}.${isTyped ? "js" : extension}`;
  const importInto = (directory: string, names: readonly string[]): string =>
    importLine({ names, from: specifierOf(imported, directory) }, isRequired);
  const parts = [
    HEAD + imports.map((one) => importLine(one, isRequired)).join(""),
    settingOf(isTyped, start),
    `${made.code}const blockList = createBlockList();\n`,
    exported,
  ];
  return {
    files: [
      { path: `${name}.${extension}`, text: parts.join("\n") },
      ...(template.uses?.(project) ?? []).map(({ path, names, code: using }) => ({
        path,
        text: `${importInto(posix.dirname(path), names)}\n${using}`,
      })),
    ],
    use: [
      importInto(sources, template.exports).trimEnd(),
      ...template.use.map((line) =>
        isRequired ? line.replace(/^export const (\w+)/, "exports.$1") : line,
      ),
    ],
    start,
    packages: packagesOf(imports).filter((name) => !dependencies.has(name)),
  };
}

const HEAD =
  "// Sign-up protection and the security webhook, written by `riskgate init`; yours to change.\n";

/** Returns the project as its bundler reads it, even if the manifest differs. */
function bundled(project: Project): Project {
  return { ...project, extension: project.extension === "ts" ? "ts" : "js", isModule: true };
}

function specifierOf(file: string, directory: string): string {
  const path = posix.relative(directory, file);
  return path.startsWith(".") ? path : `./${path}`;
}

function settingOf(isTyped: boolean, start: string | null): string {
  const [argument, result] = isTyped ? [": string", ": string"] : ["", ""];
  const source =
    start === null ? "the platform has those in .env" : `\`${start}\` reads those in .env`;
  return `/** A setting of the environment; ${source}. */
function setting(name${argument})${result} {
  const value = process.env[name];
  if (!value) throw new Error(\`Set \${name}, for example in .env\`);
  return value;
}
`;
}

/** Returns the code that creates the lookup, with its imports. */
interface Made {
  /** Names imported from the adapter. */
  readonly names: readonly string[];
  readonly imports: readonly Import[];
  readonly code: string;
}

const CLIENT: Made = {
  names: ["createRiskClient"],
  imports: [],
  code: `const lookup = createRiskClient({
  baseUrl: setting("RISKGATE_BASE_URL"),
  apiKey: setting("RISKGATE_API_KEY"),
});
`,
};

/** CommonJS has no top-level `await`, so the gate waits for the promise. */
function engineOf(isModule: boolean): Made {
  return {
    names: [],
    imports: [{ names: ["createEngine"], from: "@riskgate/engine" }],
    code: `const lookup = ${isModule ? "await " : ""}createEngine();\n`,
  };
}

/** Merges imports: one for each module, and one for its types. */
function merged(imports: readonly Import[]): readonly Import[] {
  const isSame = (one: Import, other: Import): boolean =>
    one.from === other.from && one.types === other.types;
  return imports
    .filter((one, at) => imports.findIndex((other) => isSame(one, other)) === at)
    .map((one) => ({
      ...one,
      names: imports.filter((other) => isSame(one, other)).flatMap(({ names }) => names),
    }));
}

function importLine({ names, from, types }: Import, isRequired: boolean): string {
  const list = `{ ${names.join(", ")} }`;
  const module = JSON.stringify(from);
  if (isRequired) return `const ${list} = require(${module});\n`;
  return `import ${types ? "type " : ""}${list} from ${module};\n`;
}

function packagesOf(imports: readonly Import[]): readonly string[] {
  const names = imports.map(({ from }) =>
    from
      .split("/")
      .slice(0, from.startsWith("@") ? 2 : 1)
      .join("/"),
  );
  return [...new Set(names)];
}
