import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createService, type ServiceOptions } from "@riskgate/service";
import { describe, expect, it, onTestFinished } from "vitest";
import { deadUrl } from "../support/receiver.js";
import { jsonLines, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const TOKEN = "administration-token-1";
const env = { RISKGATE_ADMIN_TOKEN: TOKEN };
const TOR = "185.220.101.4";

const databases = new URL("../../../../../shared/data/geo/", import.meta.url);
const hasDatabases = existsSync(databases);
const database = (name: string): string => fileURLToPath(new URL(name, databases));

/** The same feeds for a service, and for the engine inside the command. */
const exits = scratch.file("tor-exits.txt", `${TOR}\n`);
const hosts = scratch.file("datacenter.txt", "185.220.0.0/16\n");
scratch.file("disposable.txt", "trash.example\n");
const FEEDS = [
  { kind: "tor", name: "tor-exits", path: exits },
  { kind: "datacenter", name: "datacenter", path: hosts },
  { kind: "disposable", name: "disposable", entries: ["trash.example"] },
] as const;

async function serve(options: Partial<ServiceOptions> = {}): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-explain-"));
  const service = await createService({
    dataDir,
    adminToken: TOKEN,
    dispatch: false,
    feeds: FEEDS,
    ...options,
  });
  onTestFinished(async () => {
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return (await service.listen({ port: 0, host: "127.0.0.1" })).adminUrl;
}

/** Calls the administration API with a body. */
function callsTo(url: string) {
  return async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        connection: "close",
      },
      body: JSON.stringify(body),
    });
    return response.json();
  };
}

describe("riskgate lookup --explain", () => {
  it.each([
    ["ip", TOR],
    ["ip", "9.9.9.9"],
    ["email", "a b@sub.trash.example"],
    ["email", "ada@shop.example"],
  ])("shows the same of a service as of the engine: %s %s", async (subject, identifier) => {
    const url = await serve();
    const args = ["lookup", subject, identifier, "--explain"];
    const embedded = await runCommand([...args, "--feeds-dir", scratch.path]);
    expect(await runCommand([...args, "--admin-url", url], { env })).toEqual(embedded);
    expect(embedded).toMatchObject({ status: 0, stderr: "" });
  });

  it("names signals, sources and ages", async () => {
    const args = ["lookup", "ip", TOR, "--explain", "--admin-url", await serve()];
    const { stdout } = await runCommand(args, { env });
    expect(stdout).toMatch(/^185\.220\.101\.4 {2}65 flag {2}datacenter {2}tor\n/);
    expect(stdout).toMatch(/\+60 +tor +tor-exits +0 h old\n/);
    expect(stdout).toMatch(/\+5 +datacenter +datacenter +0 h old\n/);
  });

  it("shows the events of the ledger, and the whole answer as JSON", async () => {
    const url = await serve();
    const call = callsTo(url);
    const created = (await call("/applications", { name: "Shop" })) as {
      application: { id: string };
    };
    await call(`/applications/${created.application.id}/events`, [
      { event_kind: "xss", ips: ["9.9.9.9"] },
    ]);
    const args = ["lookup", "ip", "9.9.9.9", "--explain", "--admin-url", url];
    await expect
      .poll(async () => (await runCommand(args, { env })).stdout)
      .toMatch(/ +event +xss +\d{4}-\S+, high risk\n/);
    const { stdout } = await runCommand([...args, "--json"], { env });
    expect(jsonLines(stdout)).toMatchObject([
      {
        identifier: "9.9.9.9",
        score: 80,
        assessment: { risk_score: 80 },
        feeds: [{ name: "tor-exits", listed: false }, { name: "datacenter" }],
        ledger: { events: 1, entries: [{ kind: "xss" }] },
        geo: { country: null, asn: null },
        rules: [],
      },
    ]);
  });

  it("shows the score that one application receives", async () => {
    const url = await serve();
    const call = callsTo(url);
    const ids: string[] = [];
    for (const name of ["Shop", "Other"]) {
      const { application } = (await call("/applications", { name })) as {
        application: { id: string };
      };
      ids.push(application.id);
    }
    await call(`/applications/${ids[0]}/events`, [{ event_kind: "xss", ips: ["9.9.9.9"] }]);
    const scoreFor = async (app: string): Promise<unknown> => {
      const at = ["--explain", "--admin-url", url, "--app", app, "--json"];
      const { stdout } = await runCommand(["lookup", "ip", "9.9.9.9", ...at], { env });
      return jsonLines<{ score: number }>(stdout)[0]?.score;
    };
    await expect.poll(() => scoreFor(ids[0] ?? "")).toBe(80);
    expect(await scoreFor(ids[1] ?? "")).toBe(0);
    const unknown = ["--explain", "--admin-url", url, "--app", "x"];
    const refused = await runCommand(["lookup", "ip", "9.9.9.9", ...unknown], { env });
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain("the service has no application x");
    const embedded = await runCommand(["lookup", "ip", "9.9.9.9", "--explain", "--app", "x"]);
    expect(embedded.stderr).toContain("`--app` cannot be used without `--admin-url`");
  });

  it.skipIf(!hasDatabases)("shows country and autonomous system (../shared/data)", async () => {
    const [path, asn] = [database("GeoIP2-City-Test.mmdb"), database("GeoLite2-ASN-Test.mmdb")];
    const url = await serve({ geo: { path, asn } });
    const args = ["lookup", "ip", "--explain", "89.160.20.112"];
    const embedded = await runCommand([...args, "--geo", path, "--asn", asn]);
    const line = "89.160.20.112  0 allow  Link\u00f6ping  SWE  AS29518 Bredband2 AB\n";
    const reason =
      "    +0  no_address_data  engine  no address data: no feed of addresses is loaded\n";
    expect(embedded).toMatchObject({ stdout: line + reason, stderr: "" });
    const asked = await runCommand([...args, "--admin-url", url], { env });
    expect(asked.stdout).toBe(`${line}    no signal\n`);
    const json = await runCommand([...args, "--asn", asn, "--json"]);
    expect(jsonLines(json.stdout)).toMatchObject([
      { geo: { country: null, asn: { number: 29518, organisation: "Bredband2 AB" } } },
    ]);
  });

  it("refuses an invalid address with exit code 1", async () => {
    const url = await serve();
    const args = [
      "lookup",
      "ip",
      "junk",
      TOR,
      "--explain",
      "--admin-url",
      url,
      "--json",
      "--quiet",
    ];
    const { status, stdout } = await runCommand(args, { env });
    expect(status).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([
      { identifier: "junk", error: { code: "BAD_REQUEST" } },
      { identifier: TOR, score: 65 },
    ]);
  });

  it.each([
    ["a token that the service refuses", { RISKGATE_ADMIN_TOKEN: "another-token-2" }, serve, 4],
    ["a service that is not there", env, deadUrl, 3],
    ["no token", {}, serve, 2],
    ["plain HTTP to another machine", env, async () => "http://risk.example", 2],
    ["an invalid URL", env, async () => "risk.example", 2],
  ])("has its exit code for %s", async (_, environment, at, status) => {
    const args = ["lookup", "ip", TOR, "--explain", "--admin-url", await at()];
    const run = await runCommand(args, { env: environment });
    expect(run.status).toBe(status);
    expect(run.stdout + run.stderr).not.toContain("token-2");
  });
});
