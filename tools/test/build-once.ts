import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../workspace.mjs";

/**
 * Builds before the suite, because tests of whole processes, CommonJS and tarballs use `dist`.
 *
 * A failed build is shown but does not end the suite; `build.test.ts` then fails.
 */
export default function buildOnce(): void {
  // Each of the runner's projects calls this, in one process.
  const shared = globalThis as { isBuilt?: boolean };
  if (shared.isBuilt) return;
  shared.isBuilt = true;
  process.stdout.write("Building first: some tests use the compiled packages\n");
  spawnSync(process.execPath, [join(root, "tools/build.mjs")], { stdio: "inherit" });
}
