import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve } from "../support/receiver.js";
import { jsonLines, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();

/** A directory whose `feeds.json` names lists on a server of the test. */
async function publish(lists: Record<string, string | number>) {
  const dir = mkdtempSync(join(scratch.path, "feeds-"));
  const url = await serve((request, response) => {
    const list = lists[request.url!.slice(1)] ?? 404;
    if (typeof list === "number") response.writeHead(list).end();
    else response.writeHead(200, { etag: `"${list.length}"` }).end(list);
  });
  const sources = Object.keys(lists).map((name) => ({
    kind: "tor",
    name,
    url: url + name,
    licence: "CC0",
  }));
  writeFileSync(join(dir, "feeds.json"), JSON.stringify(sources));
  const update = (...options: string[]) =>
    runCommand(["feeds", "update", "--feeds-dir", dir, ...options], { cwd: dir });
  return { dir, lists, update };
}

describe("riskgate feeds update", () => {
  it("fetches each list, with progress, and leaves what has not changed", async () => {
    const { dir, update } = await publish({ exits: "1.1.1.1\n9.9.9.9\n", more: "8.8.8.8\n" });
    const first = await update("--json");
    expect(first.status).toBe(0);
    expect(jsonLines(first.stdout)).toMatchObject([
      { name: "exits", state: "updated", entries: 2 },
      { name: "more", state: "updated", entries: 1 },
    ]);
    expect(first.stderr).toBe("");
    const second = await update();
    expect(second.stderr).toMatch(/^2 lists: 0 updated, 2 unchanged, 0 refused in \d+\.\d s\n$/);
    expect(second.stdout).toBe("unchanged  exits: 2 entries\nunchanged  more: 1 entry\n");
    const { stdout } = await runCommand(["lookup", "ip", "9.9.9.9", "--feeds-dir", dir]);
    expect(stdout).toBe("9.9.9.9  60 flag  tor\n");
  });

  it("keeps the last good copy of a list that is refused, and updates the others", async () => {
    const feeds = await publish({ exits: "1.1.1.1\n", more: "8.8.8.8\n" });
    await feeds.update("--quiet");
    feeds.lists["exits"] = "<!doctype html><html><body>Gone</body></html>";
    feeds.lists["more"] = "8.8.8.8\n8.8.4.4\n";
    const { status, stdout, stderr } = await feeds.update("--quiet");
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toMatch(/^refused {4}exits: .+\nupdated {4}more: 2 entries\n$/);
    expect(readFileSync(join(feeds.dir, "copies/exits.list"), "utf8")).toBe("1.1.1.1\n");
  });

  it("has exit code 1 when a server is in trouble, and says which list", async () => {
    const { update } = await publish({ exits: 503 });
    const { status, stdout } = await update("--json");
    expect(status).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([{ name: "exits", state: "refused" }]);
  });

  it("refuses a directory without feeds.json, with exit code 2", async () => {
    const dir = mkdtempSync(join(scratch.path, "plain-"));
    writeFileSync(join(dir, "tor.txt"), "1.1.1.1\n");
    const run = await runCommand(["feeds", "update", "--feeds-dir", dir]);
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toContain("feeds.json");
  });
});

describe("riskgate feeds list", () => {
  it("lists files by their kind, and copies with their licence", async () => {
    const { dir, update } = await publish({ exits: "1.1.1.1\n", later: 503 });
    await update("--quiet");
    writeFileSync(join(dir, "vpn-ipv4.txt"), "10.0.0.0/8\nno entry\n");
    writeFileSync(join(dir, "notes.txt"), "not a feed\n");
    mkdirSync(join(dir, "tor"));
    const { status, stdout } = await runCommand(["feeds", "list", "--feeds-dir", dir, "--json"]);
    expect(status).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([
      {
        feeds: [
          { name: "vpn-ipv4", kind: "vpn", size: 1, skipped: 1 },
          { name: "exits", kind: "tor", size: 1, licence: "CC0" },
          { name: "later", kind: "tor", size: 0 },
        ],
      },
    ]);
    const table = await runCommand(["feeds", "list", "--feeds-dir", dir]);
    expect(table.stdout).toMatch(/^NAME +KIND +ENTRIES +SKIPPED +AGE +LICENCE +SOURCE\n/);
    expect(table.stdout).toMatch(/^exits +tor +1 +0 +0 h +CC0 +http:/m);
    expect(table.stdout).toMatch(/^later +tor +0 +0 +missing/m);
  });

  it.each([
    ["broken JSON", "["],
    ["no array", "{}"],
    ["an unknown kind", '[{"kind":"bad","name":"a","url":"https://x.example"}]'],
    ["a URL that is not safe", '[{"kind":"tor","name":"a","url":"http://x.example/list"}]'],
    [
      "a name that leaves the directory",
      '[{"kind":"tor","name":"../a","url":"https://x.example"}]',
    ],
  ])("refuses a feeds.json with %s, with exit code 2", async (_, text) => {
    const dir = mkdtempSync(join(scratch.path, "wrong-"));
    writeFileSync(join(dir, "feeds.json"), text);
    const run = await runCommand(["feeds", "list", "--feeds-dir", dir]);
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toContain("CONFIG_INVALID");
  });
});
