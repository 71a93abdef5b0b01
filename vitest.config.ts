import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

// Tests run on the sources: no build between an edit and its test.
const conditions = ["riskgate-source"];

/** Exhaustive repetitions, which `--mode full` adds. */
const EXHAUSTIVE = "**/test/**/full/**";

/** What a test of process warnings contains: a warning appears once in a process. */
const OBSERVES_WARNINGS = /"RISKGATE_[A-Z_]+"|\bwarnings\(/;

const alone = readdirSync("packages", { recursive: true, encoding: "utf8" })
  .filter((path) => /^[^/]+\/test\/.*\.test\.ts$/.test(path))
  .map((path) => `packages/${path}`)
  .filter((path) => OBSERVES_WARNINGS.test(readFileSync(path, "utf8")));

export default defineConfig(({ mode }) => {
  const exhaustive = mode === "full" ? [] : [EXHAUSTIVE];
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    // Nest uses parameter decorators, which are not standard.
    oxc: { decorator: { legacy: true } },
    test: {
      globalSetup: ["tools/test/build-once.ts", "tools/test/memory-folder.ts"],
      setupFiles: "tools/test/fail-on-leak.ts",
      pool: "forks",
      // A file spends a third of its time waiting, which another one can use.
      maxWorkers: Math.ceil(availableParallelism() * 1.5),
      execArgv: ["--expose-gc"],
      // Only a hang takes this long, however busy the machine is.
      testTimeout: 180_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000, interval: 10 } },
      projects: [
        {
          extends: true,
          test: {
            name: "shared",
            // Loading the sources again for each file took longer than its tests.
            isolate: false,
            include: ["packages/*/test/**/*.test.ts"],
            exclude: [...configDefaults.exclude, EXHAUSTIVE, ...alone],
          },
        },
        {
          extends: true,
          test: {
            name: "alone",
            include: [
              ...alone,
              "{examples,tools}/**/test/**/*.test.ts",
              "packages/*/test/**/full/**/*.test.ts",
            ],
            exclude: [...configDefaults.exclude, ...exhaustive],
          },
        },
      ],
    },
  };
});
