import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, readdir, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRiskGateError } from "@riskgate/core";
import Libsql from "libsql";
import { describe, expect, it } from "vitest";
import { bundleSources } from "../../../../tools/test/bundle-sources.mjs";
import { openStorage } from "../../src/storage/open-storage.js";
import { temporaryDirectory, temporaryStorage } from "../support/temporary-storage.js";

const BUNDLED = await bundleSources("service", "storage/open-storage.ts");

/** Run a script that has `open`, and give its process with what it wrote first. */
async function child(path: string, script: string) {
  const source = `
    const { openStorage } = await import(${JSON.stringify(BUNDLED)});
    const storage = await openStorage(${JSON.stringify(path)});
    ${script}`;
  const spawned = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = (await once(spawned.stdout, "data")) as [Buffer];
  return { process: spawned, said: chunk.toString() };
}

describe("openStorage", () => {
  it("makes a directory that only its owner can read", async () => {
    const path = join(await temporaryDirectory(), "deep", "data");
    await (await openStorage(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, "riskgate.db"))).mode & 0o777).toBe(0o600);
    // It may be made in the directory of an application: its secrets go into no commit.
    expect(await readFile(join(path, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("keeps its files to its owner in a directory that others can read", async () => {
    const path = await temporaryDirectory();
    await chmod(path, 0o755);
    const storage = await openStorage(path);
    const modes = await Promise.all(
      (await readdir(path)).map(async (name) => [
        name,
        (await stat(join(path, name))).mode & 0o777,
      ]),
    );
    await storage.close();
    // Whoever reads the lock can hold it.
    expect(modes).toContainEqual(["lock", 0o600]);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
    expect(await readdir(path)).not.toContain(".gitignore");
  });

  it("finds everything again, and closes twice without trouble", async () => {
    const path = await temporaryDirectory();
    const first = await openStorage(path);
    const shop = await first.applications.create({ name: "shop" });
    await Promise.all([first.close(), first.close()]);
    const second = await openStorage(path);
    expect(await second.applications.get(shop.id)).toEqual(shop);
    await second.close();
  });

  it("refuses a directory that is in use, and names the holder", async () => {
    const { path } = await temporaryStorage();
    const error = await openStorage(path).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "CONFIG_INVALID" });
    expect((error as Error).message).toContain(`process ${process.pid}`);
  });

  it("refuses a directory of another process until that is killed", async () => {
    const path = await temporaryDirectory();
    const holder = await child(path, "console.log('open'); setInterval(() => {}, 1000);");
    await expect(openStorage(path)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(`process ${holder.process.pid}`) as string,
    });

    holder.process.kill("SIGKILL");
    await once(holder.process, "exit");
    await (await openStorage(path)).close();
  });

  it("has everything that was acknowledged before a kill", async () => {
    const path = await temporaryDirectory();
    const writer = await child(
      path,
      `const { id } = await storage.applications.create({ name: "shop" });
       for (let n = 0; ; n++) {
         await storage.outbox.add(id, [{ type: "test", payload: { n } }]);
         process.stdout.write(n + "\\n");
       }`,
    );
    let said = writer.said;
    writer.process.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    while (said.length < 500) await once(writer.process.stdout, "data");
    writer.process.kill("SIGKILL");
    await once(writer.process, "close");

    const acknowledged = said.split("\n").length - 1;
    const storage = await openStorage(path);
    const [shop] = await storage.applications.list();
    const { entries } = await storage.outbox.take(shop?.id ?? "", 1_000_000);
    await storage.close();
    expect(entries.length).toBeGreaterThanOrEqual(acknowledged);
    expect(entries.map(({ payload }) => payload)).toEqual(
      entries.map((_, n) => JSON.stringify({ n })),
    );
  });

  it("refuses a file that is no database and leaves it alone", async () => {
    const path = await temporaryDirectory();
    const file = join(path, "riskgate.db");
    const junk = "<html>not a database</html>".repeat(500);
    await writeFile(file, junk);
    await expect(openStorage(path)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("damaged") as string,
    });
    expect(await readFile(file, "utf8")).toBe(junk);
  });

  it("refuses an empty file, and does not take it for a new database", async () => {
    const path = await temporaryDirectory();
    await writeFile(join(path, "riskgate.db"), "");
    await expect(openStorage(path)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect((await stat(join(path, "riskgate.db"))).size).toBe(0);
  });

  it("refuses a database without its tables", async () => {
    const path = await temporaryDirectory();
    const other = new Libsql(join(path, "riskgate.db"));
    other.exec("create table other (id integer)");
    other.close();
    await expect(openStorage(path)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("begins again where a process was killed while it made the database", async () => {
    const path = await temporaryDirectory();
    await writeFile(join(path, "riskgate.db.new"), "");
    await writeFile(join(path, "riskgate.db"), "");
    await (await openStorage(path)).close();
    expect(await readdir(path)).not.toContain("riskgate.db.new");
  });

  it("refuses a database that was cut off", async () => {
    const path = await temporaryDirectory();
    const storage = await openStorage(path);
    const { id } = await storage.applications.create({ name: "shop" });
    await storage.outbox.add(id, [{ type: "test", payload: { text: "x".repeat(100_000) } }]);
    await storage.close();
    const file = join(path, "riskgate.db");
    await truncate(file, (await stat(file)).size - 40_000);
    await expect(openStorage(path)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("damaged") as string,
    });
  });

  it("says so when the path cannot be a directory", async () => {
    const file = join(await temporaryDirectory(), "file");
    await writeFile(file, "");
    for (const path of [file, join(file, "below"), "/proc/riskgate", "/proc/a/b/c", "/dev/null"]) {
      await expect(openStorage(path)).rejects.toMatchObject({ code: "STORE_FAILED" });
    }
  });

  it.skipIf(process.platform === "win32").each(["lock", "riskgate.db", "riskgate.db.new"])(
    "refuses a planted link in place of %s",
    async (name) => {
      const directory = await temporaryDirectory();
      const victim = join(directory, "victim");
      await writeFile(victim, "precious", { mode: 0o644 });
      for (const planted of [name, "holder.json"]) await symlink(victim, join(directory, planted));
      await expect(openStorage(directory)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: `${join(directory, name)} is a symbolic link`,
      });
      expect(await readFile(victim, "utf8")).toBe("precious");
      expect((await stat(victim)).mode & 0o777).toBe(0o644);
    },
  );

  it("changes nothing on a full disk, says so, and goes on once there is room", async () => {
    const { storage } = await temporaryStorage({ maxBytes: 1_600_000 });
    const { id } = await storage.applications.create({ name: "shop" });
    const add = (characters: number) =>
      storage.outbox.add(id, [
        { type: "test", payload: { n: 1 } },
        { type: "test", payload: { text: "x".repeat(characters) } },
      ]);
    const error = await add(4_000_000).catch((caught: unknown) => caught);
    expect(isRiskGateError(error) && error.code).toBe("STORE_FAILED");
    expect((error as Error).message).toContain("full");
    expect(await storage.outbox.backlog()).toEqual([]);
    await add(1_000);
    expect((await storage.outbox.take(id, 9)).entries).toHaveLength(2);
  });
});

describe("transaction", () => {
  it("does all or nothing over several parts", async () => {
    const { storage } = await temporaryStorage();
    const webhookUrl = "https://hooks.example/security";
    const { id } = await storage.applications.create({ name: "shop", webhookUrl });
    const failing = storage.transaction(async (within) => {
      await within.outbox.add(id, [{ type: "test", payload: {} }]);
      await within.transaction((nested) =>
        nested.playbooks.create("app", { name: "x", rule: {}, response: {} }),
      );
      throw new RangeError("changed its mind");
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await storage.outbox.backlog()).toEqual([]);
    expect(await storage.playbooks.list()).toEqual([]);
  });

  it("keeps many at once apart", async () => {
    const { storage } = await temporaryStorage();
    const webhookUrl = "https://hooks.example/security";
    const { id } = await storage.applications.create({ name: "shop", webhookUrl });
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        storage.transaction(async (within) => {
          await within.outbox.add(id, [{ type: "test", payload: { n, half: 1 } }]);
          await within.outbox.add(id, [{ type: "test", payload: { n, half: 2 } }]);
        }),
      ),
    );
    const { entries } = await storage.outbox.take(id, 999);
    const halves = entries.map(({ payload }) => (JSON.parse(payload) as { half: number }).half);
    expect(halves).toEqual(Array.from({ length: 50 }, () => [1, 2]).flat());
  });
});
