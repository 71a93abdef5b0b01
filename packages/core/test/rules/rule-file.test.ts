import { mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRules, type RuleFile } from "../../src/rules/open-rules.js";
import type { RiskGateError } from "../../src/base/errors.js";
import type { RuleFileOptions } from "../../src/rules/rule-file.js";
import { caught } from "../support/caught.js";
import { collectWarnings } from "../support/warnings.js";

const textOf = (...names: string[]) =>
  JSON.stringify({
    rules: names.map((name) => ({ name, when: { scoreAbove: 1 }, outcome: "flag" })),
  });

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "riskgate-rules-"));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

/** Put a text in place of a file in one step: a look never finds half of it. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.next`, text);
  await rename(`${path}.next`, path);
}

/** A file with one rule, looked at all the time. */
async function opened(options: RuleFileOptions = {}) {
  const path = join(await folder(), "rules.json");
  await writeFile(path, textOf("first"));
  const errors: RiskGateError[] = [];
  const onError = (error: RiskGateError): void => void errors.push(error);
  const rules = await openRules(path, { pollMs: 5, onError, ...options });
  onTestFinished(() => rules.close());
  return { path, rules, errors };
}

const namesOf = (rules: RuleFile) => rules.rules.map(({ name }) => name);

describe("openRules", () => {
  it("loads the rules of a file", async () => {
    const { rules } = await opened({ pollMs: 0 });
    expect(namesOf(rules)).toEqual(["first"]);
    expect(rules.match({ score: 5 })?.name).toBe("first");
  });

  it("refuses a file with a mistake, with its line, column and reason", async () => {
    const path = join(await folder(), "rules.json");
    await writeFile(path, '{\n  "rules": [{ "name": "x", "when": {}, "outcome": "flag" }]\n}');
    const { code, message } = await caught(openRules(path));
    expect(code).toBe("CONFIG_INVALID");
    expect(message).toBe(
      `${path}: line 2, column 36: /rules/0/when: expected at least one condition, given object`,
    );
  });

  it("counts the other mistakes", async () => {
    const path = join(await folder(), "rules.json");
    await writeFile(path, '{ "rules": [1, 2, 3] }');
    expect((await caught(openRules(path))).message).toMatch(/ \(and 2 more\)$/);
  });

  it.each([
    ["is missing", () => {}, /cannot be read: ENOENT$/],
    ["is a folder", async (path: string) => symlink(tmpdir(), path), /cannot be read: EISDIR$/],
    ["is too large", async (path: string) => writeFile(path, " ".repeat(4_194_305)), /over 4 MiB$/],
  ])("refuses a file that %s", async (_, make, message) => {
    const path = join(await folder(), "rules.json");
    await make(path);
    expect(await caught(openRules(path))).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message) as string,
    });
  });

  it.each<[string, object]>([
    ["a time below 0", { pollMs: -1 }],
    ["an unknown option", { poll: 5 }],
    ["a hook that is none", { onError: 1 }],
  ])("refuses %s", async (_, options) => {
    expect((await caught(openRules("rules.json", options))).code).toBe("CONFIG_INVALID");
  });
});

describe("a file of rules that changes", () => {
  it("is loaded again", async () => {
    const { path, rules, errors } = await opened();
    await replace(path, textOf("second", "third"));
    await expect.poll(() => namesOf(rules)).toEqual(["second", "third"]);
    expect(errors).toEqual([]);
  });

  it("is loaded again where a link leads to another file, as a mounted setting changes", async () => {
    const at = await folder();
    const [path, next] = [join(at, "rules.json"), join(at, "next")];
    await writeFile(join(at, "1"), textOf("first"));
    await writeFile(join(at, "2"), textOf("other"));
    await symlink("1", path);
    const rules = await openRules(path, { pollMs: 5 });
    onTestFinished(() => rules.close());
    await symlink("2", next);
    await rename(next, path);
    await expect.poll(() => namesOf(rules)).toEqual(["other"]);
  });

  it("keeps the earlier rules while it has a mistake, which is reported once", async () => {
    const { path, rules, errors } = await opened();
    await replace(path, '{\n  "rules": [}\n');
    await expect.poll(() => errors).toHaveLength(1);
    expect(errors.at(0)?.message).toMatch(/rules\.json: line 2, column 13: expected JSON: /);
    expect(namesOf(rules)).toEqual(["first"]);
    await replace(path, textOf("right again"));
    await expect.poll(() => namesOf(rules)).toEqual(["right again"]);
    expect(errors).toHaveLength(1);
  });

  it("keeps the earlier rules when it is removed", async () => {
    const { path, rules, errors } = await opened();
    await rm(path);
    await expect.poll(() => errors.map(({ code }) => code)).toEqual(["CONFIG_INVALID"]);
    expect(namesOf(rules)).toEqual(["first"]);
  });

  it("warns of a mistake where there is no hook", async () => {
    const warnings = collectWarnings();
    const at = join(await folder(), "rules.json");
    await writeFile(at, textOf("first"));
    const rules = await openRules(at, { pollMs: 5 });
    onTestFinished(() => rules.close());
    await replace(at, "{}");
    await expect.poll(warnings).toEqual(["RISKGATE_RULES_NOT_LOADED"]);
  });

  it("survives a hook that throws", async () => {
    const onError = (): void => {
      throw new Error("for the test");
    };
    const { path, rules } = await opened({ onError });
    await replace(path, "{}");
    await rules.reload().catch(() => {});
    await replace(path, textOf("after"));
    await expect.poll(() => namesOf(rules)).toEqual(["after"]);
  });

  it("has the rules of the load that began last, whichever ends last", async () => {
    const { path, rules } = await opened({ pollMs: 0 });
    await replace(path, textOf("long") + " ".repeat(4_000_000));
    const long = rules.reload();
    await replace(path, textOf("last"));
    await Promise.all([long, rules.reload()]);
    expect(namesOf(rules)).toEqual(["last"]);
  });

  it("is loaded by hand", async () => {
    const { path, rules } = await opened({ pollMs: 0 });
    await replace(path, "{}");
    expect((await caught(rules.reload())).code).toBe("CONFIG_INVALID");
    expect(namesOf(rules)).toEqual(["first"]);
    await replace(path, textOf("by hand"));
    await rules.reload();
    expect(namesOf(rules)).toEqual(["by hand"]);
  });
});
