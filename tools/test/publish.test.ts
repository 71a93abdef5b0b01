import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "../workspace.mjs";
import { runNode } from "./run-node.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "riskgate-publish-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Packs a manifest alone, as `pnpm pack` names it. */
function pack(name: string, version: string): void {
  mkdirSync(join(folder, "package"), { recursive: true });
  mkdirSync(join(folder, "tarballs"), { recursive: true });
  const manifest = JSON.stringify({ name: `@riskgate/${name}`, version });
  writeFileSync(join(folder, "package/package.json"), manifest);
  const file = join("tarballs", `riskgate-${name}-${version}.tgz`);
  execFileSync("tar", ["-czf", file, "package/package.json"], { cwd: folder });
}

// Releases run on Linux.
it.skipIf(process.platform === "win32")(
  "publishes the tarballs whose version the registry lacks",
  async () => {
    pack("core", "0.2.0");
    pack("koa", "0.2.0");
    const npm =
      '#!/bin/sh\necho "$@" >> npm.log\nif [ "$2" = @riskgate/core@0.2.0 ]; then echo 0.2.0; exit 0; fi\n';
    writeFileSync(join(folder, "npm"), `${npm}[ "$1" = publish ]\n`, { mode: 0o755 });
    const script = join(root, "tools/publish.mjs");
    const settings = { PATH: `${folder}${delimiter}${process.env["PATH"]}` };
    const { status, stderr } = await runNode([script, "tarballs"], folder, 50_000, settings);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const calls = readFileSync(join(folder, "npm.log"), "utf8").trim().split("\n");
    expect(calls.filter((call) => call.startsWith("publish"))).toEqual([
      expect.stringMatching(/riskgate-koa-0\.2\.0\.tgz --provenance --access public$/),
    ]);
  },
);
