import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJson } from "../../src/input/read-json.js";
import { runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const fileWith = (text: string): string => {
  const file = join(scratch.path, "file.json");
  writeFileSync(file, text);
  return file;
};

describe("readJson", () => {
  it("reads JSON, with a byte order mark and without", async () => {
    expect(await readJson(fileWith("[1]"))).toEqual([1]);
    expect(await readJson(fileWith("\uFEFF[1]"))).toEqual([1]);
  });

  it("says where a text stops being JSON", async () => {
    const file = fileWith('{\n  "rateLimit": {},\n}');
    await expect(readJson(file)).rejects.toThrow(`${file}:3:1: expected JSON: `);
  });

  it("says why a file cannot be read", async () => {
    mkdirSync(join(scratch.path, "place"), { recursive: true });
    for (const [name, reason] of [
      ["nofile", "it does not exist"],
      ["place", "it is a directory"],
      ["file.json/part", "a part of its path is not a directory"],
    ] as const) {
      fileWith("");
      const file = join(scratch.path, name);
      await expect(readJson(file)).rejects.toThrow(`the file ${file} cannot be read: ${reason}`);
    }
  });

  it.each([
    ["sign", "nofile"],
    ["sign", "--secret-file", "nofile"],
    ["serve", "--settings", "nofile", "--sandbox"],
    ["playbooks", "add", "5f1e", "nofile", "--data-dir", "/"],
    ["rehearse", "--log", "nofile", "--flag-above", "50"],
    ["feeds", "list", "--feeds-dir", "nofile"],
  ])("is what %s does with a file that is missing", async (...args) => {
    const env = { RISKGATE_SIGNING_SECRET: "secret-1" };
    const { status, stderr } = await runCommand(args, { env });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining("nofile cannot be read: it does not exist"),
    });
  });
});
