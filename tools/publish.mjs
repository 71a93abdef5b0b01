// Publishes the tarballs of a folder, except versions that the registry has already. Needs no
// installed dependency: `node tools/publish.mjs FOLDER`.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const [, , folder = "tarballs"] = process.argv;

for (const file of readdirSync(folder).sort()) {
  const tarball = resolve(join(folder, file));
  const text = execFileSync("tar", ["-xOzf", tarball, "package/package.json"], {
    encoding: "utf8",
  });
  const { name, version } = /** @type {{ name: string, version: string }} */ (JSON.parse(text));
  const id = `${name}@${version}`;
  const found = spawnSync("npm", ["view", id, "version"], { encoding: "utf8" });
  if (found.status === 0 && found.stdout.trim() === version) {
    console.log(`exists     ${id}`);
    continue;
  }
  const options = ["--provenance", "--access", "public"];
  execFileSync("npm", ["publish", tarball, ...options], { stdio: "inherit" });
  console.log(`published  ${id}`);
}
