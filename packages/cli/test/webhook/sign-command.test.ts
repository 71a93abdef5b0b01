import { sign } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { jsonLines, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const SECRET = "hook-secret-1";
const env = { RISKGATE_SIGNING_SECRET: SECRET };

describe("riskgate sign", () => {
  it.each([
    ["an empty array", "[]", "78726a8df936989d9031862091a8d7122aa97dbafd57454243ca4e6af27adb6f"],
    [
      "text with a blank",
      "[ ]",
      "dbc21699f8bf17f86918f032adc54e22ec921fa954d0c68c73a6d342f2516121",
    ],
    ["nothing", "", "3693dba790330a9789dee3e02ee17b1d459f11991c99e248dd7e675dc6c6c3d3"],
    [
      "a NUL",
      Buffer.from([0x5b, 0x00, 0x5d]),
      "d9b04ef511623e3a595988f39a935bd729bd61c137c47e2945c381c673dff44b",
    ],
  ])("signs the bytes of %s from standard input", async (_, input, signature) => {
    expect(await runCommand(["sign"], { input, env })).toEqual({
      status: 0,
      stdout: `${signature}\n`,
      stderr: "",
    });
  });

  it("signs a file with its line break, and gives an object", async () => {
    const file = scratch.file("body.json", "[]\n");
    const { status, stdout } = await runCommand(["sign", file, "--json"], { env });
    expect(status).toBe(0);
    expect(jsonLines(stdout)).toEqual([{ signature: sign("[]\n", SECRET), bytes: 3 }]);
  });

  it.each([
    ["without a line break", SECRET],
    ["with the line break of an editor", `${SECRET}\n`],
    ["with that of another system", `${SECRET}\r\n`],
  ])("takes the secret of a file %s", async (_, text) => {
    const secretFile = scratch.file("secret", text);
    const { stdout } = await runCommand(["sign", "--secret-file", secretFile], { input: "[]" });
    expect(stdout).toBe(`${sign("[]", SECRET)}\n`);
  });

  it("keeps every other blank of a secret", async () => {
    const secretFile = scratch.file("blanks", ` ${SECRET}\n\n`);
    const { stdout } = await runCommand(["sign", "--secret-file", secretFile], { input: "[]" });
    expect(stdout).toBe(`${sign("[]", ` ${SECRET}\n`)}\n`);
  });

  it.each([
    ["no secret", ["sign"], {}],
    ["an empty secret", ["sign"], { RISKGATE_SIGNING_SECRET: "" }],
    ["a blank secret", ["sign"], { RISKGATE_SIGNING_SECRET: " " }],
    ["a secret file that is missing", ["sign", "--secret-file", "no-such-file"], {}],
    ["a body that is missing", ["sign", "no-such-file"], env],
    ["a secret as an argument", ["sign", "--secret", "x"], {}],
  ])("refuses %s with exit code 2", async (_, args, environment) => {
    const { status, stdout, stderr } = await runCommand(args, { input: "[]", env: environment });
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).not.toBe("");
  });
});
