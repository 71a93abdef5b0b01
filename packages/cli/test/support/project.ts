import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Init } from "./application.js";
import { runCommand } from "./run-command.js";

/** Makes a project at each call, below a directory that a repository may have. */
export function projectsIn(parent: string) {
  let projects = 0;
  return (files: Readonly<Record<string, string>>, manifest: object = {}) => {
    const directory = join(parent, `project-${projects++}`, "app");
    const all = { "package.json": JSON.stringify(manifest), ...files };
    mkdirSync(directory, { recursive: true });
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(join(directory, name, ".."), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
    const pathOf = (name: string): string => join(directory, name);
    const run = (args: string, env: Record<string, string> = {}) =>
      runCommand(["init", "--dir", directory, ...args.split(" ").filter(Boolean)], { env });
    return {
      directory,
      run,
      has: (name: string) => existsSync(pathOf(name)),
      read: (name: string) => readFileSync(pathOf(name), "utf8"),
      modeOf: (name: string) => statSync(pathOf(name)).mode & 0o777,
      init: async (args: string, env: Record<string, string> = {}): Promise<Init> => {
        const { status, stdout, stderr } = await run(`${args} --json`, env);
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
        return JSON.parse(stdout) as Init;
      },
    };
  };
}

/** A manifest that depends on these packages. */
export const using = (...names: readonly string[]) => ({
  dependencies: Object.fromEntries(names.map((name) => [name, "*"])),
});
