import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FEED_CATALOGUE } from "../../src/feeds/feed-catalogue.js";
import { serve } from "../support/receiver.js";
import { type CommandSetting, jsonLines, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();

const NAMES = FEED_CATALOGUE.map(({ name }) => name);

/** Path of a list on a mirror. */
function pathOf(name: string): string {
  const { host, pathname } = new URL(FEED_CATALOGUE.find((feed) => feed.name === name)!.url);
  return `/${host}${pathname}`;
}

/** A server that stands in for the published addresses, and a directory to fetch into. */
async function mirrorOf(lists: Record<string, string | number>) {
  const dir = join(mkdtempSync(join(scratch.path, "init-")), "feeds");
  const requests: string[] = [];
  const url = await serve((request, response) => {
    requests.push(request.url ?? "");
    const name = NAMES.find((one) => pathOf(one) === request.url);
    const list = (name === undefined ? undefined : lists[name]) ?? 404;
    if (typeof list === "number") response.writeHead(list).end();
    else response.writeHead(200, { etag: `"${list.length}"` }).end(list);
  });
  const init = (options: readonly string[], setting: CommandSetting = {}) =>
    runCommand(["feeds", "init", "--dir", dir, "--mirror", url, ...options], setting);
  const settings = () =>
    JSON.parse(readFileSync(join(dir, "feeds.json"), "utf8")) as Record<string, unknown>[];
  return { dir, lists, requests, url, init, settings };
}

describe("riskgate feeds init --list", () => {
  it("shows each list by its kind, with licence, size and address, and does nothing", async () => {
    const { dir, requests, init } = await mirrorOf({});
    const { status, stdout } = await init(["--list"]);
    expect(status).toBe(0);
    for (const { kind, name, licence, url } of FEED_CATALOGUE) {
      expect(stdout).toMatch(new RegExp(`^${kind}$`, "m"));
      expect(stdout).toContain(`  ${name}\n`);
      expect(stdout).toContain(`licence: ${licence};`);
      expect(stdout).toContain(`      ${url}\n`);
    }
    expect(stdout).toMatch(/x4b-vpn-ipv4\n.+\n.+ about 11,000 entries, 180 kB/);
    expect(stdout).toMatch(/aws\n.+\n.+ size unknown/);
    expect([requests, existsSync(dir)]).toEqual([[], false]);
  });

  it("offers the kinds and the lists that were named", async () => {
    const { init } = await mirrorOf({});
    const { stdout } = await init([
      "--list",
      "--json",
      "--kind",
      "tor",
      "attacker",
      "--feed",
      "aws",
    ]);
    expect(jsonLines(stdout).map(({ name }) => name)).toEqual(["tor-exits", "aws", "ipsum-3"]);
  });
});

describe("riskgate feeds init --yes", () => {
  it("writes the settings, fetches with progress, and says what each list adds", async () => {
    const { dir, requests, url, init, settings } = await mirrorOf({
      "tor-exits": "185.220.101.4\n185.220.101.5\n",
      "ipsum-3": "# header\n185.220.101.4\n203.0.113.7\n203.0.113.7\n",
    });
    const { status, stdout, stderr } = await init(["--feed", "tor-exits", "ipsum-3", "--yes"]);
    expect(status).toBe(0);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "updated    tor-exits: 2 entries, 2 IPv4 addresses (2 new); tor; licence: none stated",
      "updated    ipsum-3: 3 entries, 2 IPv4 addresses (2 new); attacker; licence: Unlicense",
      "",
    ]);
    expect(stdout).toContain(`--feeds-dir ${dir}`);
    expect(stderr).toMatch(/^2 lists: 2 updated, 0 unchanged, 0 refused in \d+\.\d s\n$/);
    expect(requests.toSorted()).toEqual([pathOf("ipsum-3"), pathOf("tor-exits")].toSorted());
    expect(settings()).toEqual([
      {
        kind: "tor",
        name: "tor-exits",
        url: `${url.slice(0, -1)}${pathOf("tor-exits")}`,
        licence: "none stated",
        source: "https://check.torproject.org/torbulkexitlist",
      },
      expect.objectContaining({ kind: "attacker", name: "ipsum-3", licence: "Unlicense" }),
    ]);
    const lookup = await runCommand(["lookup", "ip", "203.0.113.7", "--feeds-dir", dir, "--json"]);
    expect(jsonLines(lookup.stdout)).toMatchObject([{ assessment: { is_known_attacker: true } }]);
  });

  it("counts as new what no feed of the kind in the directory has", async () => {
    const { dir, init } = await mirrorOf({
      "x4b-vpn-ipv4": "192.0.2.0/24\n198.51.100.0/24\n",
      "x4b-vpn-ipv6": "2001:db8::/48\n",
      disposable: "mailinator.com\nfresh.example\n",
    });
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "vpn-own.txt"), "192.0.2.0/25\n");
    writeFileSync(join(dir, "datacenter.txt"), "198.51.100.0/24\n");
    const { status, stdout, stderr } = await init(
      "--feed x4b-vpn-ipv4 x4b-vpn-ipv6 disposable --yes --json --quiet".split(" "),
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(jsonLines(stdout)).toEqual([
      {
        name: "x4b-vpn-ipv4",
        kind: "vpn",
        state: "updated",
        licence: "MIT",
        entries: 2,
        covered: { ipv4Addresses: 512, ipv6Networks: 0, domains: 0 },
        added: { ipv4Addresses: 384, ipv6Networks: 0, domains: 0 },
      },
      expect.objectContaining({
        name: "x4b-vpn-ipv6",
        added: { ipv4Addresses: 0, ipv6Networks: 65_536, domains: 0 },
      }),
      expect.objectContaining({
        name: "disposable",
        covered: { ipv4Addresses: 0, ipv6Networks: 0, domains: 2 },
        added: { ipv4Addresses: 0, ipv6Networks: 0, domains: 1 },
      }),
    ]);
  });

  it("reports a list that fails, downloads the others, and tries it again later", async () => {
    const feeds = await mirrorOf({ "tor-exits": 503, "ipsum-3": "203.0.113.7\n" });
    const { status, stdout } = await feeds.init("--kind tor attacker --yes --quiet".split(" "));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^refused {4}tor-exits: .*503.*\nupdated {4}ipsum-3: 1 entry/);
    expect(feeds.settings().map(({ name }) => name)).toEqual(["tor-exits", "ipsum-3"]);
    feeds.lists["tor-exits"] = "185.220.101.4\n";
    const update = await runCommand(["feeds", "update", "--feeds-dir", feeds.dir, "--quiet"]);
    expect(update).toMatchObject({
      status: 0,
      stdout: "updated    tor-exits: 1 entry\nunchanged  ipsum-3: 1 entry\n",
    });
  });

  it("keeps what the settings already have, and fetches what was named alone", async () => {
    const { dir, url, requests, init, settings } = await mirrorOf({
      "tor-exits": "185.220.101.4\n",
      aws: "192.0.2.0/24\n",
    });
    mkdirSync(dir, { recursive: true });
    const own = [
      { kind: "vpn", name: "own", url: `${url}own`, licence: "ours", maxBytes: 1000 },
      { kind: "datacenter", name: "AWS", url: `${url}${pathOf("aws").slice(1)}` },
    ];
    writeFileSync(join(dir, "feeds.json"), JSON.stringify(own));
    const { status } = await init("--feed aws tor-exits --yes".split(" "));
    expect(status).toBe(0);
    expect(settings()).toEqual([...own, expect.objectContaining({ name: "tor-exits" })]);
    expect(requests).not.toContain("/own");
    const again = await init("--feed aws tor-exits --yes --quiet".split(" "));
    expect(again.stdout).toMatch(/^unchanged {2}AWS: .+\nunchanged {2}tor-exits: 1 entry/);
    expect(settings()).toHaveLength(3);
  });

  it("says where the settings have another address, and leaves it", async () => {
    const { dir, url, init, settings } = await mirrorOf({});
    mkdirSync(dir, { recursive: true });
    const own = [{ kind: "tor", name: "tor-exits", url: `${url}elsewhere` }];
    writeFileSync(join(dir, "feeds.json"), JSON.stringify(own));
    const { stderr } = await init("--kind tor --yes --quiet".split(" "));
    expect(stderr).toBe("tor-exits: keeps its address in feeds.json\n");
    expect(settings()).toEqual(own);
  });

  it.each([
    ["broken JSON", "["],
    ["an object", '{"name":"mine"}'],
    ["entries that are not feeds", '[{"id":1}]'],
  ])("refuses settings of %s and leaves them, with exit code 2", async (_, text) => {
    const { dir, requests, init } = await mirrorOf({ "tor-exits": "185.220.101.4\n" });
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "feeds.json"), text);
    const run = await init(["--kind", "tor", "--yes"]);
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(readFileSync(join(dir, "feeds.json"), "utf8")).toBe(text);
    expect(requests).toEqual([]);
  });

  it.each([
    ["an unknown list", ["--feed", "nothing"]],
    ["an unknown kind", ["--kind", "bogon"]],
    ["a mirror without encryption elsewhere", ["--mirror", "http://mirror.example"]],
    ["an invalid mirror", ["--mirror", "mirror.example"]],
  ])("refuses %s with exit code 2, and writes nothing", async (_, options) => {
    const { dir, requests, init } = await mirrorOf({});
    expect(await init([...options, "--yes"])).toMatchObject({ status: 2, stdout: "" });
    expect([requests, existsSync(dir)]).toEqual([[], false]);
  });

  it("has exit code 3 where the settings cannot be written", async () => {
    const { requests, init } = await mirrorOf({});
    const file = scratch.file("no-directory", "a file");
    const run = await init(["--dir", join(file, "feeds"), "--kind", "tor", "--yes"]);
    expect(run).toMatchObject({ status: 3, stdout: "" });
    expect(requests).toEqual([]);
  });
});

describe("riskgate feeds init in a terminal", () => {
  const lists = { "tor-exits": "185.220.101.4\n", "ipsum-3": "203.0.113.7\n" };

  it.each([
    ["a kind and a name", "tor, ipsum-3\n", ["ipsum-3", "tor-exits"]],
    ["one name without a line end", "ipsum-3", ["ipsum-3"]],
    ["all", "all\n", NAMES],
    ["nothing", "\n", []],
    ["the end of the input", "", []],
  ])("asks, and takes %s", async (_, input, names) => {
    const { requests, init } = await mirrorOf(lists);
    const { stdout } = await init([], { input, isTerminal: true });
    expect(stdout).toContain("Choose names, kinds");
    expect(requests.toSorted()).toEqual(names.map(pathOf).toSorted());
    if (names.length === 0) expect(stdout).toContain("Nothing was chosen");
  });

  it.each([
    ["y\n", 1],
    ["YES\n", 1],
    ["n\n", 0],
    ["\n", 0],
    ["perhaps\n", 0],
  ])("takes %j for a list that was named as %d fetched", async (input, fetched) => {
    const { requests, init } = await mirrorOf(lists);
    const run = await init(["--feed", "tor-exits"], { input, isTerminal: true });
    expect(run).toMatchObject({ status: 0 });
    expect(run.stdout).toContain("Fetch it? [y/N]");
    expect(requests).toHaveLength(fetched);
  });

  it("fetches nothing for an answer that it does not know", async () => {
    const { dir, requests, init } = await mirrorOf(lists);
    const run = await init([], { input: "tor everything\n", isTerminal: true });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("everything");
    expect([requests, existsSync(dir)]).toEqual([[], false]);
  });

  it.each([
    ["where nobody can answer", [], {}],
    ["for JSON, where a question has no place", ["--json"], { isTerminal: true as const }],
  ])("fetches nothing %s, with exit code 2", async (_, options, setting) => {
    const { dir, requests, init } = await mirrorOf(lists);
    const run = await init(options, { input: "all\n", ...setting });
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toContain("--yes");
    expect([requests, existsSync(dir)]).toEqual([[], false]);
  });
});
