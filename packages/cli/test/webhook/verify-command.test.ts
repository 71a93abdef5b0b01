import { sign } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { jsonLines, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const SECRET = "hook-secret-1";
const env = { RISKGATE_SIGNING_SECRET: SECRET };
const body = '[{"service_payload_type":"test"},{"service_payload_type":"later"}]';
const good = sign(body, SECRET);

describe("riskgate verify", () => {
  it("says that a signature is right, and what the delivery holds", async () => {
    const { status, stdout } = await runCommand(["verify", "--signature", good], {
      input: body,
      env,
    });
    expect(status).toBe(0);
    expect(stdout).toBe(
      `valid with RISKGATE_SIGNING_SECRET, ${body.length} bytes, 1 known payload, 1 other\n`,
    );
  });

  it.each([
    ["of another body", sign("[]", SECRET)],
    ["by another secret", sign(body, "other")],
    ["in upper case", good.toUpperCase()],
    ["with junk behind it", `${good}zz`],
    ["that is empty", ""],
  ])("says no to a signature %s, with exit code 1", async (_, signature) => {
    const run = await runCommand(["verify", "--signature", signature, "--json"], {
      input: body,
      env,
    });
    expect(run).toMatchObject({ status: 1, stderr: "" });
    expect(jsonLines(run.stdout)).toEqual([{ valid: false }]);
  });

  it("accepts any of several secrets, and names it", async () => {
    const next = scratch.file("next", "hook-secret-2\n");
    const last = scratch.file("last", `${SECRET}\n`);
    const secrets = ["--secret-file", next, "--secret-file", last];
    const run = await runCommand(["verify", "--signature", good, ...secrets, "--json"], {
      input: body,
    });
    expect(run.status).toBe(0);
    expect(jsonLines(run.stdout)).toEqual([
      { valid: true, secret: last, bytes: body.length, payloads: 1, ignored: 1 },
    ]);
  });

  it("says what a receiver refuses in spite of its signature", async () => {
    const object = scratch.file("object.json", "{}");
    const args = ["verify", object, "--signature", sign("{}", SECRET)];
    const { status, stdout } = await runCommand(args, { env });
    expect(status).toBe(0);
    expect(stdout).toContain("a receiver answers INVALID_PAYLOAD");
  });

  it("prints neither the secret nor the right signature", async () => {
    const { stdout, stderr } = await runCommand(["verify", "--signature", "x"], {
      input: body,
      env,
    });
    expect(stdout + stderr).not.toContain(SECRET);
    expect(stdout + stderr).not.toContain(good);
  });

  it("refuses to run without a signature, with exit code 2", async () => {
    expect(await runCommand(["verify"], { input: body, env })).toMatchObject({
      status: 2,
      stdout: "",
    });
  });
});
