import { defineConfig } from "vitest/config";

// Tests run on the sources: no build between an edit and its test.
const conditions = ["riskgate-source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,examples,tools}/**/test/**/*.test.ts"],
    globalSetup: "tools/test/build-once.ts",
    setupFiles: "tools/test/fail-on-leak.ts",
    pool: "forks",
    execArgv: ["--expose-gc"],
    testTimeout: 30_000,
  },
});
