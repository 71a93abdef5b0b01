import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

// Tests run on the sources: no build between an edit and its test.
const conditions = ["riskgate-source"];

/** Exhaustive repetitions, which `--mode full` adds. */
const EXHAUSTIVE = "**/test/**/full/**";

export default defineConfig(({ mode }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Nest uses parameter decorators, which are not standard.
  oxc: { decorator: { legacy: true } },
  test: {
    include: ["{packages,examples,tools}/**/test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(mode === "full" ? [] : [EXHAUSTIVE])],
    globalSetup: "tools/test/build-once.ts",
    setupFiles: "tools/test/fail-on-leak.ts",
    pool: "forks",
    // A file spends a third of its time waiting, which another one can use.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    execArgv: ["--expose-gc"],
    // Only a hang takes this long, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
  },
}));
