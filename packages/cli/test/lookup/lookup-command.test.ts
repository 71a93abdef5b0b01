import { spawnSync } from "node:child_process";
import { createFakeService } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deadUrl, serve } from "../support/receiver.js";
import { jsonLines, patientAt, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

interface Line {
  identifier: string;
  assessment?: { risk_score: number; is_tor?: boolean };
  signals?: { name: string; adds: number; source: string }[];
  error?: { code: string };
}

const scratch = scratchDirectory();

describe("riskgate lookup with the embedded engine", () => {
  it("shows score, verdict and flags", async () => {
    expect(await runCommand(["lookup", "email", "x@mailinator.com"])).toEqual({
      status: 0,
      stdout: "x@mailinator.com  50 flag  disposable\n",
      stderr: "",
    });
  });

  it("explains a score by the feeds of a directory", async () => {
    scratch.file("tor-exits.txt", "185.220.101.4\n");
    scratch.file("datacenter.txt", "185.220.0.0/16\n");
    const args = ["lookup", "ip", "185.220.101.4", "--feeds-dir", scratch.path, "--explain"];
    const { status, stdout } = await runCommand(args);
    expect(status).toBe(0);
    expect(stdout.split("\n")[0]).toBe("185.220.101.4  65 flag  datacenter  tor");
    expect(stdout).toMatch(/\+60 +tor +tor-exits/);
    expect(stdout).toMatch(/\+5 +datacenter +datacenter/);
    const json = await runCommand([...args, "--json"]);
    const line = jsonLines<Line>(json.stdout).at(0)!;
    expect(line).toMatchObject({ assessment: { risk_score: 65, is_tor: true } });
    expect(line.signals!.reduce((sum, { adds }) => sum + adds, 0)).toBe(65);
  });

  it("reads standard input, without blank lines and comments", async () => {
    const input =
      "# people\r\n\r\nada@example.com\n  a#b@example.com  # odd, but an address\nx@mailinator.com";
    const { status, stdout, stderr } = await runCommand(["lookup", "email", "--json"], { input });
    expect(status).toBe(0);
    expect(jsonLines<Line>(stdout).map(({ identifier }) => identifier)).toEqual([
      "ada@example.com",
      "a#b@example.com",
      "x@mailinator.com",
    ]);
    expect(stderr).toBe("");
    expect((await runCommand(["lookup", "email"], { input })).stderr).toMatch(
      /^3 looked up: 1 to flag, 0 to reject, 0 failed in \d+\.\d s\n$/,
    );
  });

  it("looks up 20,000 lines, one answer for each and in their order", async () => {
    const ips = Array.from(
      { length: 20_000 },
      (_, at) => `9.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
    );
    const { status, stdout, stderr } = await runCommand(["lookup", "ip"], {
      input: ips.join("\n"),
    });
    expect(status).toBe(0);
    expect(stdout.split("\n").map((line) => line.split("  ")[0])).toEqual([...ips, ""]);
    expect(stderr).toMatch(/^20000 looked up/m);
  });

  it("reports a bad line among good ones, with exit code 1", async () => {
    const input = "1.1.1.1\nnot-an-ip\n8.8.8.8\n";
    const { status, stdout } = await runCommand(["lookup", "ip", "--json"], { input });
    expect(status).toBe(1);
    expect(jsonLines<Line>(stdout).map(({ error }) => error?.code)).toEqual([
      undefined,
      "INVALID_ARGUMENT",
      undefined,
    ]);
  });

  it.each([
    [["ip", "8.8.8"], "8.8.8  failed  INVALID_ARGUMENT"],
    [["ip", "1.1.1.1", "8.8.8"], "8.8.8  failed  INVALID_ARGUMENT"],
    [["email", " "], "failed  INVALID_ARGUMENT"],
  ])("reports the wrong argument of lookup %j with exit code 2", async (args, line) => {
    const run = await runCommand(["lookup", ...args]);
    expect(run.status).toBe(2);
    expect(run.stdout).toContain(line);
  });

  it.each([
    [49.9, 1],
    [50, 0],
  ])("takes a score of 50 with --fail-above %d for exit code %d", async (above, status) => {
    const args = ["lookup", "email", "x@mailinator.com", "--fail-above", String(above)];
    expect(await runCommand(args)).toMatchObject({ status });
  });

  it("shows no control character of what it was given", async () => {
    const input = "\u001b[2J\u009b31m\u202e@x.y\n";
    const text = await runCommand(["lookup", "email"], { input });
    const json = await runCommand(["lookup", "email", "--json"], { input });
    for (const { stdout } of [text, json]) {
      // oxlint-disable-next-line no-control-regex -- They are what must not be there.
      expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
    expect(jsonLines<Line>(json.stdout).at(0)!.identifier).toBe("\u001b[2J\u009b31m\u202e@x.y");
  });

  it("is silent about progress with --quiet", async () => {
    const run = await runCommand(["lookup", "ip", "--quiet"], { input: "1.1.1.1\n8.8.8.8\n" });
    expect(run).toMatchObject({ status: 0, stderr: "" });
  });

  it("ends quietly when nobody reads on", () => {
    const main = new URL("../../dist/main.js", import.meta.url).pathname;
    const script = `seq 1 50000 | sed 's/.*/1.1.1.1/' | "$0" "$1" lookup ip --quiet | head -1; echo "\${PIPESTATUS[2]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script, process.execPath, main], {
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({ stdout: "1.1.1.1  0 allow\n0\n", stderr: "" });
  });

  it.each([
    ["a line without end", "x".repeat(1_000_000), []],
    ["a feeds directory that is missing", "", ["--feeds-dir", "no-such-directory"]],
    ["a feeds directory without a feed", "", ["--feeds-dir", "."]],
    ["an invalid geo file", "", ["--geo", "package.json"]],
    ["a concurrency of 0", "", ["--concurrency", "0"]],
    ["a threshold above 100", "", ["--fail-above", "101"]],
  ])("refuses %s with exit code 2", async (_, input, options) => {
    const cwd = new URL("../..", import.meta.url).pathname;
    const run = await runCommand(["lookup", "ip", ...options], { input, cwd });
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).not.toBe("");
  });
});

describe("riskgate lookup with a service", () => {
  let service: Awaited<ReturnType<typeof createFakeService>>;
  const url = (): readonly string[] => patientAt(service.baseUrl);
  const env = { RISKGATE_API_KEY: "fake-key-1" };

  beforeAll(async () => {
    service = await createFakeService({
      answers: {
        "slow@shop.example": { risk_score: 81, delayMs: 200 },
        "down@shop.example": { fault: "server_error" },
      },
    });
  });
  afterAll(() => service.close());

  it("asks with the key of the environment", async () => {
    const args = ["lookup", "email", "slow@shop.example", ...url()];
    expect(await runCommand(args, { env })).toEqual({
      status: 0,
      stdout: "slow@shop.example  81 reject\n",
      stderr: "",
    });
  });

  it("asks with the key of a file", async () => {
    const file = scratch.file("key", "fake-key-1\n");
    const args = ["lookup", "ip", "8.8.8.8", ...url(), "--api-key-file", file];
    expect(await runCommand(args)).toMatchObject({ status: 0 });
  });

  it("keeps the order where a later answer comes first", async () => {
    const input = "slow@shop.example\nfast@shop.example\n";
    const { stdout } = await runCommand(["lookup", "email", ...url(), "--json"], { input, env });
    expect(jsonLines<Line>(stdout).map(({ identifier }) => identifier)).toEqual([
      "slow@shop.example",
      "fast@shop.example",
    ]);
  });

  it("has no more lookups under way than --concurrency says", async () => {
    let open = 0;
    let peak = 0;
    const baseUrl = await serve((request, response) => {
      peak = Math.max(peak, ++open);
      setTimeout(() => {
        open--;
        const email = decodeURIComponent(request.url?.split("/").pop() ?? "");
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ email, risk_score: 0 }));
      }, 10);
    });
    const input = Array.from({ length: 40 }, (_, at) => `a${at}@shop.example`).join("\n");
    const args = ["lookup", "email", ...patientAt(baseUrl), "--concurrency", "4"];
    expect(await runCommand(args, { input, env })).toMatchObject({ status: 0 });
    expect(peak).toBe(4);
  });

  it("has exit code 4 for a key that is not accepted, and does not show it", async () => {
    const args = ["lookup", "ip", "8.8.8.8", ...url()];
    const run = await runCommand(args, { env: { RISKGATE_API_KEY: "another-key-2" } });
    expect(run).toMatchObject({ status: 4 });
    expect(run.stdout).toContain("UNAUTHORIZED");
    expect(run.stdout + run.stderr).not.toContain("another-key-2");
  });

  it.each([
    ["is in trouble", async () => service.baseUrl, "down@shop.example", "UPSTREAM_STATUS"],
    ["is not there", deadUrl, "ada@shop.example", "NETWORK"],
  ])("has exit code 3 for a service that %s", async (_, base, email, code) => {
    const args = ["lookup", "email", email, ...patientAt(await base()), "--json"];
    const { status, stdout } = await runCommand(args, { env });
    expect(status).toBe(3);
    expect(jsonLines<Line>(stdout).at(0)!.error!.code).toBe(code);
  });

  it.each([
    ["without a key", [], {}],
    ["with a key that no header can carry", [], { RISKGATE_API_KEY: "a b" }],
    ["with --explain", ["--explain"], env],
    ["with --feeds-dir", ["--feeds-dir", "."], env],
  ])("refuses to ask %s, with exit code 2", async (_, options, environment) => {
    const before = service.requests.length;
    const args = ["lookup", "ip", "8.8.8.8", ...url(), ...options];
    expect(await runCommand(args, { env: environment })).toMatchObject({ status: 2, stdout: "" });
    expect(service.requests.length).toBe(before);
  });

  it.each([
    ["http://10.0.0.1", "must begin with https://: the API key is sent over plain HTTP to"],
    ["https://risk.example/?a=b", "must not contain a query"],
    ["risk.example", "must begin with https:// or http://"],
  ])("refuses to ask %s, in words of the command", async (base, message) => {
    const { status, stderr } = await runCommand(["lookup", "ip", "8.8.8.8", "--url", base], {
      env,
    });
    expect(status).toBe(2);
    expect(stderr).toContain(`\`--url\` ${message}`);
    expect(stderr).not.toMatch(/baseUrl|allowInsecureHttp/);
  });
});
