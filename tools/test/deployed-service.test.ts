import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { runCommand, startCommand } from "../../packages/cli/test/support/run-command.js";
import { root } from "../workspace.mjs";

const deploy = join(root, "examples/deploy");
const dockerfile = readFileSync(join(deploy, "Dockerfile"), "utf8");
const unit = readFileSync(join(deploy, "riskgate.service"), "utf8").replaceAll("\\\n", " ");

const ADMIN_TOKEN = "the-token-of-the-administration";
const METRICS_TOKEN = "the-token-of-the-metrics";

/** An address of this machine that other machines can connect to, as a published port has. */
const published =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address ?? "127.0.0.1";

interface Served {
  readonly url: string;
  readonly adminUrl: string;
  readonly consoleUrl: string;
}

/** Returns the arguments of an instruction of the Dockerfile. */
function instruction(name: string): string[] {
  const [, list] = new RegExp(`^${name} (\\[.*\\])$`, "m").exec(dockerfile)!;
  return JSON.parse(list!) as string[];
}

function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), "riskgate-deployed-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Environment of the service in the compose file, with the values of a `.env`. */
function composeEnvironment(file: Readonly<Record<string, string>>): Record<string, string> {
  const { services } = parse(readFileSync(join(deploy, "compose.yaml"), "utf8")) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  const given = Object.entries(services["riskgate"]!.environment);
  return Object.fromEntries(
    given.map(([name, text]) => [
      name,
      text.replace(/\$\{(\w+):[?-](.*)\}/, (_all, variable: string) => file[variable] ?? ""),
    ]),
  );
}

/** Starts what a deploy file starts, on free ports, and stops it at the end of the test. */
async function serve(args: readonly string[], env: Readonly<Record<string, string>>) {
  const running = startCommand([...args, "--port", "0", "--admin-port", "0", "--json"], { env });
  onTestFinished(async () => {
    running.child.kill("SIGTERM");
    await running.ended;
  });
  return JSON.parse(await running.line()) as Served;
}

/** Starts the image's command with the environment of the compose file. */
async function serveAsComposed(file: Readonly<Record<string, string>> = {}) {
  expect(instruction("ENTRYPOINT")).toEqual(["riskgate"]);
  const dataDir = join(scratch(), "data");
  const tokens = { RISKGATE_ADMIN_TOKEN: ADMIN_TOKEN, RISKGATE_METRICS_TOKEN: METRICS_TOKEN };
  const env = { ...composeEnvironment({ ...tokens, ...file }), RISKGATE_DATA_DIR: dataDir };
  const served = await serve(instruction("CMD"), env);
  const at = (url: string) => `http://${published}:${new URL(url).port}`;
  return { env, served, url: at(served.url), adminUrl: at(served.adminUrl) };
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

function signIn(adminUrl: string, origin: string): Promise<Response> {
  return fetch(`${adminUrl}/console/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ token: ADMIN_TOKEN }),
  });
}

describe("the image with the compose file", () => {
  it("serves lookups, administration, console and metrics on published ports", async () => {
    const { url, adminUrl } = await serveAsComposed();
    const statusOf = async (path: string, init: RequestInit = {}) =>
      (await fetch(`${adminUrl}${path}`, init)).status;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/v1/ips/192.0.2.1`)).status).toBe(401);
    expect(await statusOf("/console/")).toBe(200);
    expect((await signIn(adminUrl, adminUrl)).status).toBe(201);
    expect(await statusOf("/admin/v1/applications")).toBe(401);
    expect(await statusOf("/admin/v1/applications", bearer(ADMIN_TOKEN))).toBe(200);
    expect(await statusOf("/metrics")).toBe(401);
    expect(await statusOf("/metrics", bearer(METRICS_TOKEN))).toBe(200);
    // The public port has none of it.
    for (const path of ["/console/", "/admin/v1/applications", "/metrics"]) {
      expect((await fetch(`${url}${path}`, bearer(ADMIN_TOKEN))).status).toBe(404);
    }
  });

  it("accepts a console behind a proxy once .env has its origin", async () => {
    const origin = "https://risk.example.com";
    const { served, adminUrl } = await serveAsComposed({ RISKGATE_ADMIN_ORIGIN: origin });
    expect(served.consoleUrl).toBe(`${origin}/console/`);
    expect((await signIn(adminUrl, origin)).status).toBe(201);
    const without = await serveAsComposed();
    const refused = await signIn(without.adminUrl, origin);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("--admin-origin");
  });

  it("is administered by commands in the container", async () => {
    const { env } = await serveAsComposed();
    const created = await runCommand(["app", "create", "Shop", "--json"], { env });
    expect(created).toMatchObject({ status: 0, stderr: "" });
    const listed = await runCommand(["app", "list"], { env });
    expect(listed.stdout).toContain("Shop");
  });

  it("has a health check that passes while the service is ready, and fails otherwise", async () => {
    const [program, ...args] = instruction("  CMD");
    expect(program).toBe("node");
    const { served } = await serveAsComposed();
    const check = async (port: string) => {
      const replaced = args.map((arg) => arg.replace("127.0.0.1:8080", `127.0.0.1:${port}`));
      expect(replaced).not.toEqual(args);
      const [status] = (await once(spawn(process.execPath, replaced), "exit")) as [number];
      return status;
    };
    expect(await check(new URL(served.url).port)).toBe(0);
    // The port of administration has no /readyz.
    expect(await check(new URL(served.adminUrl).port)).toBe(1);
  });
});

describe("the systemd unit", () => {
  it("starts the service with its tokens", async () => {
    const folder = scratch();
    const credentials = Object.entries({ admin: ADMIN_TOKEN, metrics: METRICS_TOKEN });
    for (const [name, token] of credentials) {
      const credential = `${name}-token`;
      expect(unit).toContain(`\nLoadCredential=${credential}:/etc/riskgate/${credential}\n`);
      writeFileSync(join(folder, credential), `${token}\n`);
    }
    const [, command] =
      /^ExecStart=\/usr\/bin\/node \/opt\/riskgate\/bin\/riskgate\.js (.*)$/m.exec(unit)!;
    const args = command!
      .replaceAll("${STATE_DIRECTORY}", join(folder, "data"))
      .replaceAll("${CREDENTIALS_DIRECTORY}", folder)
      .split(/ +/);
    const { adminUrl } = await serve(args, {});
    const applications = await fetch(`${adminUrl}/admin/v1/applications`, bearer(ADMIN_TOKEN));
    expect(applications.status).toBe(200);
    expect((await fetch(`${adminUrl}/metrics`, bearer(METRICS_TOKEN))).status).toBe(200);
    expect((await fetch(`${adminUrl}/metrics`)).status).toBe(401);
  });
});
