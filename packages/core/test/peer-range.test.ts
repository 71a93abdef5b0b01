import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkPeer } from "../src/peer-range.js";
import { thrown } from "./support/caught.js";

/** An adapter's module in a folder where this version of a framework is installed. */
function installed(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), "peer-range-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const framework = join(folder, "node_modules", "framework");
  mkdirSync(framework, { recursive: true });
  writeFileSync(join(framework, "package.json"), JSON.stringify({ version }));
  return join(folder, "adapter.js");
}

/** An error as it is made in a module at this place. */
function errorAt(location: string): Error {
  return Object.assign(new Error(), { stack: `Error\n    at ${location}:1:1\n    at x (y:2:2)` });
}

describe("checkPeer", () => {
  it.each(["4.18.0", "4.18.2", "4.21.0", "5.0.0", "5.2.1", "5.0.0-beta.1"])(
    "accepts version %s",
    (version) => {
      const here = errorAt(installed(version));
      expect(() => checkPeer("framework", ["4.18", "5.0"], here)).not.toThrow();
    },
  );

  it.each(["3.21.2", "4.17.3", "6.0.0", "0.0.1"])("ADP-04 refuses version %s", (version) => {
    const here = errorAt(installed(version));
    const error = thrown(() => checkPeer("framework", ["4.18", "5.0"], here));
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain(`^4.18.0 or ^5.0.0, found ${version}`);
  });

  it("finds the framework from an ES module too", () => {
    const { href } = pathToFileURL(installed("1.0.0"));
    expect(thrown(() => checkPeer("framework", ["2.0"], errorAt(href))).code).toBe(
      "CONFIG_INVALID",
    );
  });

  it("does not check a framework that it does not find", () => {
    for (const here of [new Error(), errorAt("node:internal/x"), errorAt("/nowhere/adapter.js")]) {
      expect(() => checkPeer("framework-nobody-has", ["1.0"], here)).not.toThrow();
    }
    expect(() => checkPeer("x", ["1.0"], Object.assign(new Error(), { stack: "" }))).not.toThrow();
  });
});
