import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { projectsIn, readJson, root } from "../workspace.mjs";

it("packs every published package, and prints one line", () => {
  const scratch = mkdtempSync(join(tmpdir(), "riskgate-pack-"));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  const { scripts } = readJson(join(root, "package.json")) as { scripts: { "pack:all": string } };
  const [, script = ""] = scripts["pack:all"].split(" ");
  const folder = join(scratch, "tarballs");
  const { status, stdout } = spawnSync(process.execPath, [join(root, script), folder], {
    encoding: "utf8",
  });
  const published = projectsIn("packages").filter((one) => one.published);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: `pack: ${published.length} tarballs in ${folder}\n`,
  });
  expect(readdirSync(folder)).toHaveLength(published.length);
});
