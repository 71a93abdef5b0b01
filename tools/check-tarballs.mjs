// Packs every published package and checks the tarballs with publint and attw. An argument names the
// new folder in which the tarballs remain.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pack } from "./pack.mjs";
import { root } from "./workspace.mjs";

const CHECKS = [
  ["publint", "run", "--strict"],
  ["attw", "--no-emoji", "--profile", "strict"],
];

const [, , kept] = process.argv;
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "riskgate-pack-")) : resolve(kept);
mkdirSync(folder, { recursive: true });
let failures = 0;
try {
  for (const tarball of await pack(folder)) {
    for (const [tool = "", ...options] of CHECKS) {
      const { status, stdout, stderr } = spawnSync(
        join(root, "node_modules/.bin", tool),
        [...options, tarball],
        // On Windows the tools are scripts, which only a shell can run.
        { encoding: "utf8", shell: process.platform === "win32" },
      );
      console.log(`${status === 0 ? "ok    " : "FAILED"} ${tool} ${basename(tarball)}`);
      if (status !== 0) {
        failures++;
        console.log(`${stdout}${stderr}`);
      }
    }
  }
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true });
}
process.exitCode = failures === 0 ? 0 : 1;
