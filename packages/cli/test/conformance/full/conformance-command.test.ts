import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import { createFakeService, lookupApiContract, receiverContract } from "@riskgate/testing";
import { createService } from "@riskgate/service";
import { describe, expect, it, onTestFinished } from "vitest";
import { judgeReceiver, SECRET, secretFile } from "../../support/conformance-run.js";
import { deadUrl, serve, serveReceiver } from "../../support/receiver.js";
import { runCommand } from "../../support/run-command.js";
import { scratchDirectory } from "../../support/scratch.js";
import { startReceiver } from "../../support/start-receiver.js";

const scratch = scratchDirectory();
const ALL_FAULTS = ["written-again", "missing", "prefix", "unknown-first", "no-limit"];

const judge = async (url: string, ...args: string[]) =>
  runCommand(["conformance", "webhook", "--url", url, ...args], {
    env: { RISKGATE_SIGNING_SECRET: SECRET },
  });

describe("riskgate conformance webhook", () => {
  // `full/conformance-receivers.test.ts` runs all cases, for each fault alone, and PHP.
  it("tells a right receiver in another language from a faulty one", async ({ skip }) => {
    const args = ["--secret-file", secretFile(scratch.path)];
    const faults = ALL_FAULTS.flatMap((fault) => ["--fault", fault]);
    const start = async (script: string, ...more: string[]): Promise<string> =>
      (await startReceiver("python3", [script, ...args, ...more])) ??
      skip("python3 is not installed");
    const right = await start("right.py");
    const faulty = await start("faulty.py", ...faults);
    const ids = ["RCV-03", "RCV-09", "RCV-10", "RCV-12", "RCV-13", "RCV-32"];
    const only = ["--strict", "--only", ["RCV-02", "RCV-11", ...ids].join(",")];
    expect(await judgeReceiver(right, ...only)).toMatchObject({ status: 0, failed: [] });
    expect(await judgeReceiver(faulty, ...only)).toMatchObject({ status: 1, failed: ids });
  });

  it("says what was sent, what was expected, what came back and what to do", async () => {
    const { url } = await serveReceiver({ status: 204 });
    const { status, stdout } = await judge(url, "--only", "rcv-09");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^passed {3}RCV-01 {2}accepts a signed test payload$/m);
    expect(stdout).toMatch(
      /^FAILED {3}RCV-09 {2}refuses a delivery without a signature\n {9}sent {6}no signature \(POST, \d+ bytes: \[\{.*\)\n {9}expected {2}no status from 200 to 299, and no hang\n {9}received {2}status 204$/m,
    );
    expect(stdout).toMatch(/^ {9}remedy {4}Refuse a request without the header/m);
    expect(stdout).toMatch(/\n1 passed, 1 failed, 0 warnings, 0 skipped\n$/);
  });

  it("warns of what is advised, and fails for it when it is strict", async () => {
    const endpoint = createWebhookEndpoint({ secrets: SECRET, on: { test() {} } });
    const url = await serve((request, response) => {
      if (request.method === "GET") response.end("hello");
      else void endpoint.answer(request).then(({ status }) => response.writeHead(status).end());
    });
    const only = ["--only", "RCV-28"];
    expect(await judgeReceiver(url, ...only)).toMatchObject({ status: 0, warned: ["RCV-28"] });
    expect(await judgeReceiver(url, ...only, "--strict")).toMatchObject({
      status: 1,
      failed: ["RCV-28"],
      warned: [],
    });
  });

  it("skips everything else where a signed test payload is refused", async () => {
    const { url } = await serveReceiver({ status: 401 });
    const { status, report, failed } = await judgeReceiver(url);
    expect({ status, failed }).toEqual({ status: 1, failed: ["RCV-01"] });
    expect(report.skipped).toBe(receiverContract.length - 1);
    expect(report.cases.at(-1)?.reason).toContain("RCV-01 failed");
  });

  it("notices a receiver that tells what the signature should have been", async () => {
    const { verify, sign } = await import("@riskgate/core");
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks);
        const isGood = verify(body, request.headers["x-service-integrity"], SECRET);
        response.writeHead(isGood ? 204 : 401).end(isGood ? "" : `not ${sign(body, SECRET)}`);
      });
    });
    const { failed, report } = await judgeReceiver(url, "--only", "RCV-09");
    expect(failed).toEqual(["RCV-09"]);
    expect(report.cases[1]?.deviations[0]?.received).toBe("an answer that contains one of them");
    expect(JSON.stringify(report)).not.toMatch(/[0-9a-f]{64}/);
  });

  it("notices a receiver that is gone after a delivery", async () => {
    let handled = 0;
    const url = await serve((request, response) => {
      request.resume();
      if (++handled > 1) request.socket.destroy();
      else response.writeHead(204).end();
    });
    // A closed connection would do for a refusal.
    const { failed } = await judgeReceiver(url, "--only", "RCV-11");
    expect(failed).toEqual(["RCV-11"]);
  });

  it("writes JUnit XML to a file", async () => {
    const { url } = await serveReceiver({ status: 204 });
    const file = join(scratch.path, "report.xml");
    const args = ["--only", "RCV-09,RCV-17", "--format", "junit", "--output", file];
    const stderr = "1 passed, 1 failed, 1 warning, 0 skipped\n";
    expect(await judge(url, ...args)).toEqual({ status: 1, stdout: "", stderr });
    const xml = readFileSync(file, "utf8");
    expect(xml).toMatch(/<testsuites tests="3" failures="1" errors="0" skipped="0" time="[\d.]+">/);
    expect(xml).toMatch(
      /<testcase classname="riskgate.webhook" name="RCV-01 [^"]+" time="[^"]+"\/>/,
    );
    expect(xml).toMatch(/<failure message="expected no status[^"]+">sent {6}no signature \(POST/);
    expect(xml).toMatch(/<system-out>warning\nsent/);
    expect(xml).toContain("[{&quot;service_payload_type&quot;");
  });

  it.each([
    ["a case that does not exist", ["--only", "RCV-99"], "unknown case RCV-99"],
    ["a format that does not exist", ["--format", "xml"], "expected one of text, json, junit"],
    ["no number for a time", ["--slow-ms", "soon"], "expected a whole number"],
  ])("has exit code 2 for %s", async (_, args, message) => {
    const { url, received } = await serveReceiver({ status: 204 });
    const { status, stderr } = await judge(url, ...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(received).toEqual([]);
  });

  it("has exit code 2 without a secret", async () => {
    const { status, stderr } = await runCommand([
      "conformance",
      "webhook",
      "--url",
      "http://[::1]",
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain("--secret-file");
  });

  it("has exit code 3 where nothing listens, and where the report cannot be written", async () => {
    const dead = await judge(await deadUrl());
    expect(dead).toMatchObject({ status: 3, stdout: "" });
    expect(dead.stderr).toContain("ECONNREFUSED");
    const { url, received } = await serveReceiver({ status: 204 });
    const unwritable = await judge(url, "--output", join(scratch.path, "missing", "report"));
    expect(unwritable.status).toBe(3);
    expect(received).toEqual([]);
  });
});

describe("riskgate conformance lookup", () => {
  const ask = async (url: string, apiKey: string, ...args: string[]) => {
    const all = ["conformance", "lookup", "--url", url, ...args];
    return runCommand(all, { env: { RISKGATE_API_KEY: apiKey } });
  };

  it("passes the service, also when it is strict", async () => {
    const adminToken = "administration-token-1";
    const service = await createService({ dataDir: join(scratch.path, "data"), adminToken });
    onTestFinished(() => service.close());
    const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    const created = await fetch(`${adminUrl}/admin/v1/applications`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: '{"name":"Shop"}',
    });
    const { key } = (await created.json()) as { key: string };
    const { status, stdout } = await ask(url, key, "--strict", "--json");
    const report = JSON.parse(stdout) as { cases: { id: string; state: string }[] };
    const others = report.cases.filter(({ state }) => state !== "passed");
    expect(others.filter(({ id }) => id !== "API-19")).toEqual([]);
    expect(report.cases).toHaveLength(lookupApiContract.length);
    expect(status).toBe(0);
    expect(stdout).not.toContain(key);
  });

  it("names what is wrong with an API that answers anything to anyone", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"ip":"192.0.2.1","ip_version":"4","risk_score":5}');
    });
    const { status, stdout } = await ask(url, "key");
    expect(status).toBe(1);
    for (const id of ["API-02", "API-03", "API-04", "API-05", "API-11", "API-12", "API-13"]) {
      expect(stdout).toContain(`FAILED   ${id}`);
    }
    expect(stdout).toContain("expected  ip_version: 4 or 6");
    expect(stdout).toContain('received  ip_version: "4"');
  });

  it("names a wrong key", async () => {
    const service = await createFakeService();
    onTestFinished(() => service.close());
    const { status, stdout } = await ask(service.baseUrl, "wrong-key", "--only", "API-02");
    expect(status).toBe(1);
    expect(stdout).toMatch(/FAILED {3}API-01[^]*received {2}status 401/);
    expect(stdout).toMatch(/^skipped {2}API-02/m);
  });

  it("sends no key over plain HTTP to another machine", async () => {
    const file = join(scratch.path, "key.txt");
    writeFileSync(file, "key\n");
    const args = ["conformance", "lookup", "--url", "http://risk.example", "--api-key-file", file];
    const { status, stderr } = await runCommand(args);
    expect(status).toBe(2);
    expect(stderr).toContain("Use https://");
  });
});

describe("help of riskgate conformance", () => {
  it.each([[[]], [["webhook"]], [["lookup"]]])("fits 80 columns: %j", async (path) => {
    const { stdout } = await runCommand(["conformance", ...path, "--help"]);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
