import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { chmodSync, lchownSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makePrivateDirectory } from "../../src/base/make-directory.js";
import { makePrivate } from "../../src/base/make-private.js";
import { openToAppend } from "../../src/base/no-follow.js";
import { replaceFile } from "../../src/base/replace-file.js";
import { caught, thrown } from "../support/caught.js";

/** The file of somebody to which the planted links lead. */
let victim: string;
let shared: string;
const isRoot = process.geteuid?.() === 0;
const STRANGER = 54_321;

const plant = (name: string, target = victim): string => {
  const path = join(shared, name);
  symlinkSync(target, path);
  return path;
};
const expectUntouched = () => {
  expect(readFileSync(victim, "utf8")).toBe("precious");
  expect(lstatSync(victim).mode & 0o777).toBe(0o644);
};

beforeEach(() => {
  const scratch = mkdtempSync(join(tmpdir(), "riskgate-links-"));
  shared = join(scratch, "shared");
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  victim = join(scratch, "victim");
  writeFileSync(victim, "precious", { mode: 0o644 });
});
afterEach(() => rmSync(join(shared, ".."), { recursive: true, force: true }));

describe.skipIf(process.platform === "win32")("a directory that others can write to", () => {
  it("replaces a planted link, and not the file behind it", async () => {
    const path = plant("ledger");
    await replaceFile(path, ["new"], 0o600);
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readFileSync(path, "utf8")).toBe("new");
    expectUntouched();
  });

  it("has no name to plant a link under while a file is replaced", async () => {
    const path = join(shared, "ledger");
    plant(`ledger.${process.pid}.tmp`);
    const names: string[] = [];
    for (let round = 0; round < 2; round++) {
      await replaceFile(
        path,
        (function* () {
          names.push(...readdirSync(shared).filter((name) => /^ledger\.\w{24}\.tmp$/.test(name)));
          yield "new";
        })(),
      );
    }
    expect(new Set(names).size).toBe(2);
    expectUntouched();
    expect(readdirSync(shared).toSorted()).toEqual(["ledger", `ledger.${process.pid}.tmp`]);
  });

  it("is cleared of what a crash left a day ago, and of nothing else", async () => {
    const left = (name: string, days: number): string => {
      writeFileSync(join(shared, name), "");
      const at = new Date(Date.now() - days * 86_400_000);
      utimesSync(join(shared, name), at, at);
      return name;
    };
    left(`ledger.${"a".repeat(24)}.tmp`, 2);
    const kept = [
      left(`ledger.${"b".repeat(24)}.tmp`, 0),
      left(`ledger.other.tmp`, 2),
      left(`feed.${"a".repeat(24)}.tmp`, 2),
    ];
    await replaceFile(join(shared, "ledger"), ["new"]);
    expect(readdirSync(shared).toSorted()).toEqual([...kept, "ledger"].toSorted());
  });

  it("leaves nothing when the content cannot be made", async () => {
    const broken = (function* (): Generator<string> {
      yield "half";
      throw new Error("broken");
    })();
    await expect(replaceFile(join(shared, "ledger"), broken)).rejects.toThrow("broken");
    expect(readdirSync(shared)).toEqual([]);
  });

  it.each([
    ["a database", (path: string) => Promise.resolve(thrown(() => makePrivate(path)))],
    ["a log", (path: string) => caught(openToAppend(path, 0o600))],
  ])("refuses a planted link in place of %s", async (_, open) => {
    for (const path of [plant("link"), plant("dangling", join(shared, "..", "absent"))]) {
      const { code, message, hint } = await open(path);
      expect([code, message]).toEqual(["CONFIG_INVALID", `${path} is a symbolic link`]);
      expect(hint).toMatch(/another account/);
    }
    expectUntouched();
    expect(readdirSync(join(shared, "..")).toSorted()).toEqual(["shared", "victim"]);
  });

  it.skipIf(!isRoot)("refuses what another account has put there", async () => {
    const file = join(shared, "file");
    writeFileSync(file, "");
    const directory = join(shared, "directory");
    mkdirSync(directory);
    const link = plant("link", join(shared, ".."));
    for (const path of [file, directory, link]) lchownSync(path, STRANGER, STRANGER);
    const message = (path: string) => `${path} belongs to another account`;
    expect(thrown(() => makePrivate(file)).message).toBe(message(file));
    expect((await caught(openToAppend(file, 0o600))).message).toBe(message(file));
    for (const path of [directory, link]) {
      expect((await caught(makePrivateDirectory(path))).message).toBe(message(path));
    }
  });

  it.skipIf(!isRoot)("accepts files of other accounts in a directory of its owner", async () => {
    chmodSync(shared, 0o755);
    const directory = join(shared, "volume");
    mkdirSync(directory);
    writeFileSync(join(directory, "log"), "");
    for (const path of [directory, join(directory, "log")]) lchownSync(path, STRANGER, STRANGER);
    await expect(makePrivateDirectory(directory)).resolves.toBeUndefined();
    const log = await openToAppend(join(directory, "log"), 0o600);
    expect((await log.stat()).uid).toBe(STRANGER);
    await log.close();
  });
});
