import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand, startCommand } from "../../support/run-command.js";
import { scratchDirectory } from "../../support/scratch.js";

interface AdminFile {
  readonly url: string;
  readonly token: string;
  readonly proofKey: string;
}

const scratch = scratchDirectory();
const newDataDir = (): string => mkdtempSync(join(scratch.path, "data-"));

/** Start `riskgate serve` on a directory, and give what it left for other commands. */
async function startService(dataDir: string) {
  const command = startCommand(["serve", "--port", "0", "--json", "--data-dir", dataDir]);
  onTestFinished(() => void command.child.kill("SIGKILL"));
  await command.line();
  const file = join(dataDir, "admin.json");
  return { ...command, file, left: JSON.parse(readFileSync(file, "utf8")) as AdminFile };
}

/** Listen on a port in place of the service, and keep everything that arrives. */
async function startImpostor(port: number, answer: RequestListener) {
  const server = createServer(answer);
  let heard = "";
  server.on("connection", (socket) => {
    socket.prependListener("data", (chunk: Buffer) => (heard += chunk.toString()));
  });
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { port: (server.address() as AddressInfo).port, heard: () => heard };
}

/** Pass every request on to another port of this machine. */
const relayTo =
  (port: number): RequestListener =>
  (request, response) => {
    const { method, url, headers } = request;
    const options = { host: "127.0.0.1", port, method, path: url, headers };
    const onward = httpRequest(options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  };

describe("the administration token", { timeout: 180_000 }, () => {
  it.each<[string, RequestListener]>([
    ["agrees to everything", (_, response) => response.end("{}")],
    ["makes up a proof", (_, response) => response.end(JSON.stringify({ proof: "0".repeat(64) }))],
    [
      "closes each connection",
      (_, response) => response.writeHead(200, { connection: "close" }).end("{}"),
    ],
    ["hangs up", (request) => request.socket.destroy()],
  ])("is not sent to what took the port of a dead service and %s", async (_label, answer) => {
    const dataDir = newDataDir();
    const { child, ended, left } = await startService(dataDir);
    child.kill("SIGKILL");
    await ended;
    const impostor = await startImpostor(Number(new URL(left.url).port), answer);
    const run = await runCommand(["app", "list", "--data-dir", dataDir, "--json"]);
    expect(run).toEqual({ status: 0, stdout: '{"applications":[]}\n', stderr: "" });
    expect(impostor.heard()).toMatch(/^GET \/admin\/v1\/proof\/[0-9a-f]{64} /);
    expect(impostor.heard()).not.toContain(left.token);
    expect(impostor.heard()).not.toMatch(/authorization/i);
  });

  it("is not sent to what passes the question on to the real service", async () => {
    const dataDir = newDataDir();
    const { file, left } = await startService(dataDir);
    const impostor = await startImpostor(0, relayTo(Number(new URL(left.url).port)));
    writeFileSync(file, JSON.stringify({ ...left, url: `http://127.0.0.1:${impostor.port}` }));
    const run = await runCommand(["app", "list", "--data-dir", dataDir]);
    // The real one holds the directory.
    expect(run.status).toBe(2);
    expect(impostor.heard()).toContain("/admin/v1/proof/");
    expect(impostor.heard()).not.toContain(left.token);
  });

  it("is sent to a service that listens on every address", async () => {
    const dataDir = newDataDir();
    const options = [
      "--host",
      "0.0.0.0",
      "--admin-host",
      "0.0.0.0",
      "--data-dir",
      dataDir,
      "--sandbox",
    ];
    const command = startCommand(["serve", "--port", "0", "--json", ...options]);
    onTestFinished(() => void command.child.kill("SIGKILL"));
    const { applicationId } = JSON.parse(await command.line()) as { applicationId: string };
    const run = await runCommand(["app", "list", "--data-dir", dataDir, "--json"]);
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout).toContain(applicationId);
  });

  it.each([
    "http://192.0.2.1:8080",
    "http://risk.example",
    "http://evil-localhost:8080",
    "http://localhost.risk.example",
    "http://127.0.0.1.risk.example",
    "http://[::ffff:192.0.2.1]",
    "http://0.0.0.0:8080",
  ])("is not sent over plain HTTP to %s", async (url) => {
    const env = { RISKGATE_ADMIN_TOKEN: "admin-token-of-the-test", RISKGATE_ADMIN_URL: url };
    const run = await runCommand(["app", "list"], { env });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("not sent over plain HTTP");
    expect(run.stderr).toContain("https://");
  });

  it("is sent to localhost, which is this machine", async () => {
    const { port, heard } = await startImpostor(0, (_, response) => {
      response.end('{"applications":[]}');
    });
    const env = {
      RISKGATE_ADMIN_TOKEN: "admin-token-of-the-test",
      RISKGATE_ADMIN_URL: `http://localhost:${port}`,
    };
    expect(await runCommand(["app", "list"], { env })).toMatchObject({ status: 0 });
    expect(heard()).toContain("authorization: Bearer admin-token-of-the-test");
  });
});
