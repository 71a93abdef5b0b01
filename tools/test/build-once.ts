import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../workspace.mjs";

/**
 * Build before the suite: the tests of whole processes, of CommonJS and of the tarballs use `dist`.
 *
 * A failed build is shown and does not end the suite; `build.test.ts` fails because of it.
 */
export default function buildOnce(): void {
  process.stdout.write("Building first: some tests use the compiled packages\n");
  spawnSync(process.execPath, [join(root, "tools/build.mjs")], { stdio: "inherit" });
}
