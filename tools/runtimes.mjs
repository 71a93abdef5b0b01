// Installs the other runtimes of the full tests into `.riskgate/runtimes`. Without a network it installs
// nothing, and those tests are skipped.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

const RUNTIMES = [
  "bun@1.4.5",
  "deno@2.9.6",
  "node22@npm:node@22",
  "node24@npm:node@24",
  "node26@npm:node@26",
];

const folder = join(root, ".riskgate/runtimes");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"private":true}\n');
for (const runtime of RUNTIMES) {
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund", runtime], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 120_000,
    env: { ...process.env, npm_config_package: undefined },
    shell: process.platform === "win32",
  });
  console.log(`${runtime}: ${status === 0 ? "installed" : "not installed"}`);
}
