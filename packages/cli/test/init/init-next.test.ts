import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectsIn, using } from "../support/project.js";
import { scratchDirectory } from "../support/scratch.js";

const project = projectsIn(scratchDirectory().path);

describe("riskgate init for Next.js", () => {
  it.each([
    ["JavaScript", {}, "riskgate.js", "app", "../../../riskgate"],
    ["src", { "src/app/page.js": "" }, "src/riskgate.js", "src/app", "../../../riskgate"],
    [
      "routes beside src",
      { "src/db.js": "", "app/page.js": "" },
      "src/riskgate.js",
      "app",
      "../../../src/riskgate",
    ],
  ])("writes the routes, with %s", async (_, files, gate, routes, specifier) => {
    const { init, read } = project(files, using("next"));
    const paths = [`${routes}/webhooks/security/route.js`, `${routes}/api/signup/route.js`];
    expect((await init("--write")).files).toEqual([gate, ...paths, ".env", ".gitignore"]);
    for (const path of paths) expect(read(path)).toContain(`from "${specifier}"`);
    // A header that the application has not named may be one that clients set.
    expect(read(gate).replaceAll(/\/\*\*.*?\*\//gs, "")).not.toContain("headers");
  });

  it("leaves a sign-up route alone, also with --force", async () => {
    const signUp = "app/api/signup/route.tsx";
    const { init, read } = project({ [signUp]: "mine" }, using("next"));
    expect((await init("--write --force")).files).toEqual([
      "riskgate.js",
      "app/webhooks/security/route.js",
      ".env",
      ".gitignore",
    ]);
    expect(read(signUp)).toBe("mine");
  });

  it("writes nothing where the webhook is there, or the routes are a link", async () => {
    const webhook = "app/webhooks/security/route.js";
    const taken = project({ [webhook]: "mine" }, using("next"));
    const refused = await taken.run("--write");
    expect(refused.stderr).toContain(`${webhook} already exists`);
    expect(taken.read(webhook)).toBe("mine");
    const linked = project({ "../routes/page.js": "" }, using("next"));
    symlinkSync(join(linked.directory, "../routes"), join(linked.directory, "app"));
    const behind = await linked.run("--write --force");
    expect(behind.stderr).toContain("app is a symbolic link");
    for (const { has } of [taken, linked]) {
      expect([has("riskgate.js"), has(".env"), has("app/api")]).toEqual([false, false, false]);
    }
  });
});
