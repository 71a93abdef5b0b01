import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runNode } from "../../../../tools/test/run-node.js";
import { startProgram } from "../../../test/program.js";

const folder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const script = "dist/main.js";
const settings = { PORT: "0" };

/** Lines of the table, each with its result. */
const verdictsIn = (text: string) =>
  [...text.matchAll(/^ {2}(ok|WRONG) {1,4}\S/gm)].map((match) => match[1]);

describe("examples/tour", () => {
  it("walks through every step and ends, with --once", async () => {
    const { status, stdout, stderr } = await runNode([script, "--once"], folder, 50_000, settings);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(verdictsIn(stdout)).toEqual(Array.from({ length: 12 }, () => "ok"));
    expect(stdout).toContain("Every result is as expected.");
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "keeps running, and ends with exit code 0 on %s",
    async (signal) => {
      const tour = startProgram(folder, [script], settings);
      const [, base] = await tour.printed(/riskgate guards (\S+)\/signup/);
      await tour.printed(/Press Ctrl-C to stop/);
      const response = await fetch(`${base}/signup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "x@mailinator.com" }),
      });
      expect(await response.json()).toMatchObject({ watched: true, score: 50 });
      expect(await tour.stop(signal)).toBe(0);
    },
  );

  it("prints the console first, and its token opens it", async () => {
    const tour = startProgram(folder, [script], settings);
    const [, url = ""] = await tour.printed(/^\s*To watch in the console: +(\S+)$/m);
    const [, token = ""] = await tour.printed(/^Sign in with the token: +(\S+)$/m);
    await tour.printed(/Press Ctrl-C to stop/);
    const page = await fetch(url);
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    const overview = await fetch(new URL("/admin/v1/rehearsal", url), {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await overview.json()).toMatchObject({
      lookups: { tried: { flag: expect.any(Number), reject: expect.any(Number) } },
    });
    expect(await tour.stop("SIGTERM")).toBe(0);
  });

  it("uses a free port if the given one is in use", async () => {
    const first = startProgram(folder, [script], settings);
    try {
      const [, port = ""] = await first.printed(/riskgate guards http:\/\/127\.0\.0\.1:(\d+)\//);
      const { status, stdout } = await runNode([script, "--once"], folder, 50_000, { PORT: port });
      expect(stdout).toContain(`Port ${port} is in use`);
      expect(status).toBe(0);
    } finally {
      await first.stop("SIGKILL");
    }
  });

  it("shows its usage for an unknown option, with exit code 2", async () => {
    const { status, stderr } = await runNode([script, "--onse"], folder);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Unknown option '--onse'\n\nUsage: pnpm start /);
  });

  it("shows its usage with --help", async () => {
    const { status, stdout } = await runNode([script, "--help"], folder);
    expect(status).toBe(0);
    expect(stdout).toContain("--once");
    expect(stdout).toContain("--open");
  });
});
