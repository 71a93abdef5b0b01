import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../../tools/test/free-port.js";
import { runCommand, startCommand } from "../../support/run-command.js";
import { scratchDirectory } from "../../support/scratch.js";

interface Started {
  readonly url: string;
  readonly adminUrl: string;
  readonly consoleUrl?: string;
  readonly apiKey?: string;
}

const TOKEN = "administration-token-1";
const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
const scratch = scratchDirectory();
const newDirectory = (): string => mkdtempSync(join(scratch.path, "d-"));

/** Starts `riskgate serve` with a socket. */
async function serve(socket: string, options: readonly string[] = []) {
  const args = ["serve", "--port", "0", "--json", "--admin-socket", socket, ...options];
  const command = startCommand(args, { env: { RISKGATE_ADMIN_TOKEN: TOKEN } });
  onTestFinished(() => void command.child.kill("SIGKILL"));
  return { ...command, started: JSON.parse(await command.line()) as Started };
}

/** Sends a request over the socket; returns the status and the cookie. */
async function ask(
  socketPath: string,
  path: string,
  { body, ...headers }: Record<string, string> = {},
) {
  const sent = request({
    socketPath,
    path,
    method: body === undefined ? "GET" : "POST",
    headers: { host: "127.0.0.1:8081", "content-type": "application/json", ...headers },
  });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [
    { statusCode: number; headers: Record<string, string[]>; resume(): void },
  ];
  answer.resume();
  return { status: answer.statusCode, cookie: answer.headers["set-cookie"]?.[0] };
}

describe("riskgate serve --admin-socket", { timeout: 120_000 }, () => {
  it("serves administration, console and metrics there, for this account only", async () => {
    const dataDir = newDirectory();
    const socket = join(dataDir, "admin.sock");
    const { child, ended, started } = await serve(socket, ["--data-dir", dataDir]);
    expect(started).toMatchObject({ adminUrl: `unix:${socket}` });
    expect(started.consoleUrl).toBeUndefined();
    expect(statSync(socket).mode & 0o777).toBe(0o600);

    const bearer = { authorization: `Bearer ${TOKEN}` };
    expect(await ask(socket, "/admin/v1/applications")).toMatchObject({ status: 401 });
    expect(await ask(socket, "/admin/v1/applications", bearer)).toMatchObject({ status: 200 });
    expect(await ask(socket, "/console/")).toMatchObject({ status: 200 });
    expect(await ask(socket, "/metrics")).toMatchObject({ status: 200 });
    expect(await ask(socket, "/metrics", { host: "evil.example" })).toMatchObject({ status: 403 });
    // As through `ssh -L 8081:admin.sock`.
    const signIn = { body: JSON.stringify({ token: TOKEN }), origin: "http://127.0.0.1:8081" };
    const session = await ask(socket, "/console/session", signIn);
    expect(session.status).toBe(201);
    expect(session.cookie).toMatch(/^riskgate_session_socket=/);

    // The other port serves lookups and health only.
    for (const [path, status] of [
      ["/readyz", 200],
      ["/metrics", 404],
      ["/console/", 404],
      ["/admin/v1/applications", 404],
    ] as const) {
      expect((await fetch(started.url + path, { headers: bearer })).status, path).toBe(status);
    }
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(socket)).toBe(false);
  });

  it("is found by other commands, by its data directory, URL and variable", async () => {
    const dataDir = newDirectory();
    const socket = join(newDirectory(), "a b%20.sock");
    const { started } = await serve(socket, ["--data-dir", dataDir]);
    const env = { RISKGATE_ADMIN_TOKEN: TOKEN };
    const { adminUrl } = started;
    const created = await runCommand(["app", "create", "Shop", "--data-dir", dataDir]);
    expect(created).toMatchObject({ status: 0 });
    for (const [args, more] of [
      [["--admin-url", adminUrl], {}],
      [[], { RISKGATE_ADMIN_URL: adminUrl }],
    ] as const) {
      const run = await runCommand(["app", "list", ...args], { env: { ...env, ...more } });
      expect(run.stdout).toContain("Shop");
    }
    const doctor = await runCommand(["doctor", "--admin-url", adminUrl], { env });
    expect(doctor).toMatchObject({ status: 0 });
    expect(doctor.stdout).toContain("the clocks agree");
    const explain = ["lookup", "ip", "8.8.8.8", "--explain", "--admin-url", adminUrl];
    expect(await runCommand(explain, { env })).toMatchObject({ status: 0 });
  });

  it("starts again over the socket of a killed process", async () => {
    const dataDir = newDirectory();
    const socket = join(newDirectory(), "admin.sock");
    const first = await serve(socket, ["--data-dir", dataDir]);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(existsSync(socket)).toBe(true);
    // Commands notice that nobody listens, and use the directory themselves.
    const listed = await runCommand(["app", "list", "--data-dir", dataDir, "--json"]);
    expect(listed).toMatchObject({ status: 0, stdout: '{"applications":[]}\n' });
    await serve(socket, ["--data-dir", dataDir]);
    const bearer = { authorization: `Bearer ${TOKEN}` };
    expect(await ask(socket, "/admin/v1/applications", bearer)).toMatchObject({ status: 200 });
  });

  it("does not take the socket of a running process, nor any other file", async () => {
    const socket = join(newDirectory(), "admin.sock");
    const first = await serve(socket, ["--sandbox"]);
    const file = join(newDirectory(), "notes");
    writeFileSync(file, "mine");
    const long = join(newDirectory(), "x".repeat(120));
    for (const [path, reason] of [
      [socket, "another process listens on it"],
      [file, "it is not a socket"],
      [long, "the path is too long"],
      [join(newDirectory(), "none", "admin.sock"), "ENOENT"],
    ] as const) {
      const args = ["serve", "--sandbox", "--port", "0", "--admin-socket", path];
      const run = await startCommand(args).ended;
      expect(run.status, path).toBe(2);
      expect(run.stderr).toContain(reason);
    }
    expect(readFileSync(file, "utf8")).toBe("mine");
    // A process that does not get the socket does not remove it either.
    expect(await ask(socket, "/metrics")).toMatchObject({ status: 200 });
    first.child.kill("SIGTERM");
    expect(await first.ended).toMatchObject({ status: 0 });
  });

  it("leaves the socket of a successor alone", async () => {
    const socket = join(newDirectory(), "admin.sock");
    const first = await serve(socket, ["--sandbox"]);
    const other = createServer();
    onTestFinished(() => void other.close());
    spawnSync("rm", [socket]);
    await new Promise<void>((resolve) => other.listen(socket, resolve));
    first.child.kill("SIGTERM");
    expect(await first.ended).toMatchObject({ status: 0 });
    expect(existsSync(socket)).toBe(true);
  });

  it.each([
    [["--admin-port", "8081"], "--admin-port"],
    [["--admin-host", "0.0.0.0"], "--admin-host"],
  ])("refuses %j beside it", async (more, named) => {
    const args = ["serve", "--sandbox", "--admin-socket", "admin.sock", ...more];
    const run = await runCommand(args);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(named);
    expect(run.stderr).toContain("--admin-socket");
  });

  it.each(["unix:admin.sock", "unix://host/admin.sock", "unix:/admin.sock?x", "unix:"])(
    "refuses the URL %s",
    async (url) => {
      const run = await runCommand(["app", "list", "--admin-url", url]);
      expect(run).toMatchObject({ status: 2 });
      expect(run.stderr).toContain("must be unix: and an absolute path");
    },
  );

  it("names the path if nobody listens there", async () => {
    const path = join(scratch.path, "none.sock");
    const env = { RISKGATE_ADMIN_TOKEN: TOKEN };
    const run = await runCommand(["app", "list", "--admin-url", `unix:${path}`], { env });
    expect(run.stderr).toContain(`${path} could not be reached: ENOENT`);
    expect(run.stderr).toContain("that the service is running");
  });

  it.skipIf(!hasNginx)("serves the console of --admin-origin behind nginx", async () => {
    const socket = join(newDirectory(), "admin.sock");
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const { started } = await serve(socket, ["--sandbox", "--admin-origin", origin]);
    expect(started.consoleUrl).toBe(`${origin}/console/`);
    const file = scratch.file(
      `nginx-${port}.conf`,
      `daemon off; pid ${join(scratch.path, `${port}.pid`)}; error_log stderr;
       ${process.getuid?.() === 0 ? "user root;" : ""}
       events {}
       http { access_log off; server {
         listen 127.0.0.1:${port};
         location / { proxy_pass http://unix:${socket}; } } }`,
    );
    const nginx = spawn("nginx", ["-p", scratch.path, "-c", file], { stdio: "ignore" });
    const ended = once(nginx, "exit");
    onTestFinished(async () => {
      nginx.kill("SIGTERM");
      await ended;
    });
    const status = async (path: string, init?: RequestInit): Promise<number> =>
      fetch(origin + path, init).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(() => status("/console/"), { timeout: 30_000 }).toBe(200);
    expect(await status("/metrics")).toBe(401);
    const body = JSON.stringify({ token: TOKEN });
    const headers = { origin, "content-type": "application/json" };
    expect(await status("/console/session", { method: "POST", headers, body })).toBe(201);
  });
});
