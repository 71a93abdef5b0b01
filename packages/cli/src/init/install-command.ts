import type { PackageManager } from "./project.js";

const COMMANDS: Readonly<Record<PackageManager, string>> = {
  npm: "npm install",
  pnpm: "pnpm add",
  yarn: "yarn add",
  bun: "bun add",
};

/** Returns the command that installs packages; undefined if nothing is missing. */
export function installCommand(
  packageManager: PackageManager,
  packages: readonly string[],
): string | undefined {
  return packages.length === 0 ? undefined : [COMMANDS[packageManager], ...packages].join(" ");
}
