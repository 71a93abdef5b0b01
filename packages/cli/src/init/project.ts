import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { RiskGateError } from "@riskgate/core";

const LOCKFILES = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
} as const;

export type PackageManager = (typeof LOCKFILES)[keyof typeof LOCKFILES];

export const INSTALL: Readonly<Record<PackageManager, string>> = {
  npm: "npm install",
  pnpm: "pnpm add",
  yarn: "yarn add",
  bun: "bun add",
};

/** The application to protect. */
export interface Project {
  /** Absolute. */
  readonly directory: string;
  /** Names of all packages in its manifest, including development packages. */
  readonly dependencies: ReadonlySet<string>;
  readonly packageManager: PackageManager;
  /** Extension of its source files. */
  readonly extension: "ts" | "js" | "mjs" | "cjs";
  readonly isModule: boolean;
  /** Relative directory of its sources: `src` if it exists. */
  readonly sources: "src" | ".";
  readonly has: (path: string) => boolean;
}

interface Manifest {
  readonly type?: unknown;
  readonly main?: unknown;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly peerDependencies?: object;
}

/**
 * Reads the project in a directory.
 *
 * @throws {RiskGateError} CONFIG_INVALID without a readable manifest.
 */
export function readProject(given: string): Project {
  const directory = resolve(given);
  const has = (path: string): boolean => existsSync(join(directory, path));
  const manifest = readManifest(directory);
  const dependencies = new Set(
    [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies].flatMap((one) =>
      Object.keys(one ?? {}),
    ),
  );
  return {
    directory,
    dependencies,
    packageManager: findPackageManager(directory),
    ...(has("tsconfig.json") || dependencies.has("typescript")
      ? { extension: "ts", isModule: manifest.type === "module" }
      : formOf(manifest)),
    sources: has("src") ? "src" : ".",
    has,
  };
}

function formOf({ type, main }: Manifest): Pick<Project, "extension" | "isModule"> {
  if (type === "module") return { extension: "js", isModule: true };
  const isModule = typeof main === "string" && main.endsWith(".mjs");
  return { extension: isModule ? "mjs" : "cjs", isModule };
}

function readManifest(directory: string): Manifest {
  const file = join(directory, "package.json");
  let text: string;
  try {
    // Reading a pipe would wait for a writer.
    if (!statSync(file).isFile()) throw new TypeError("expected a file");
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new RiskGateError("CONFIG_INVALID", `expected a package.json in ${directory}`, {
      cause,
      hint: "Run it in the directory of the application, or name that with --dir",
    });
  }
  const manifest = parsed(text);
  if (typeof manifest === "object" && manifest !== null) return manifest;
  throw new RiskGateError("CONFIG_INVALID", `${file} is not a JSON object`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/**
 * Finds the package manager by the nearest lockfile, which may be in a workspace's root directory.
 */
function findPackageManager(directory: string): PackageManager {
  for (const [file, name] of Object.entries(LOCKFILES)) {
    if (existsSync(join(directory, file))) return name;
  }
  const above = dirname(directory);
  return above === directory ? "npm" : findPackageManager(above);
}
