import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const home = join(import.meta.dirname, "..");
let folder: string;

beforeAll(() => {
  // The package as it is installed: beside a framework of the application's choice.
  folder = mkdtempSync(join(tmpdir(), "riskgate-express-"));
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@riskgate"), { recursive: true });
  symlinkSync(join(home, "../core"), join(modules, "@riskgate/core"));
  for (const part of ["dist", "package.json"]) {
    cpSync(join(home, part), join(modules, "@riskgate/express", part), { recursive: true });
  }
  mkdirSync(join(modules, "express"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = {
  riskGate: "{ lookup: { async lookupIp() {}, async lookupEmail() {} } }",
  webhookRoute: '{ secrets: "hook-secret-1", on: {} }',
};

/** Make a middleware beside a certain version of the framework; the code of the error, if any. */
function make(factory: keyof typeof OPTIONS, version: string, flavour: string): string {
  const manifest = JSON.stringify({ name: "express", version });
  writeFileSync(join(folder, "node_modules/express/package.json"), manifest);
  const call = `try { ${factory}(${OPTIONS[factory]}); console.log("made"); }
    catch (error) { console.log(error.code + ": " + error.message); }`;
  const [load, type] =
    flavour === "ESM"
      ? [`import { ${factory} } from "@riskgate/express";`, "module"]
      : [`const { ${factory} } = require("@riskgate/express");`, "commonjs"];
  const run = spawnSync(process.execPath, [`--input-type=${type}`, "--eval", load + call], {
    cwd: folder,
    encoding: "utf8",
  });
  return run.stdout.trim() + run.stderr;
}

describe.each(["ESM", "CommonJS"])("the supported range in %s", (flavour) => {
  it.each(["3.21.2", "4.17.3", "6.0.0"])(
    "ADP-04 refuses version %s at set-up, naming the range",
    (version) => {
      for (const factory of ["riskGate", "webhookRoute"] as const) {
        const result = make(factory, version, flavour);
        expect(result).toContain("CONFIG_INVALID");
        expect(result).toContain("^4.18.0 or ^5.0.0");
        expect(result).toContain(version);
      }
    },
  );

  it.each(["4.18.0", "5.9.0"])("ADP-04 takes version %s", (version) => {
    for (const factory of ["riskGate", "webhookRoute"] as const) {
      expect(make(factory, version, flavour)).toBe("made");
    }
  });
});
