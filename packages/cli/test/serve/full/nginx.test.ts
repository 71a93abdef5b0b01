import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "node:https";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../../../tools/test/free-port.js";
import { makeCertificate } from "../../../../../tools/test/certificate.js";
import { runCommand, startCommand } from "../../support/run-command.js";
import { scratchDirectory } from "../../support/scratch.js";

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
const scratch = scratchDirectory();
const TOKEN = "administration-token-1";
const METRICS_TOKEN = "a-token-of-the-metrics";

/** An address of this machine that other machines can connect to. */
const reachable = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

interface Served {
  readonly url: string;
  readonly adminUrl: string;
  readonly apiKey: string;
}

async function serve(...options: string[]): Promise<Served> {
  const env = { RISKGATE_ADMIN_TOKEN: TOKEN };
  const serving = startCommand(["serve", "--sandbox", "--port", "0", "--json", ...options], {
    env,
  });
  onTestFinished(() => void serving.child.kill("SIGKILL"));
  return JSON.parse(await serving.line()) as Served;
}

/** Runs nginx with one server until the test ends. */
async function runNginx(port: number, server: string, scheme = "http"): Promise<string> {
  const file = scratch.file(
    `nginx-${port}.conf`,
    `daemon off; pid ${join(scratch.path, `${port}.pid`)}; error_log stderr;
     events {}
     http { access_log off; server { ${server} } }`,
  );
  const nginx = spawn("nginx", ["-p", scratch.path, "-c", file], { stdio: "ignore" });
  const ended = once(nginx, "exit");
  onTestFinished(async () => {
    nginx.kill("SIGTERM");
    await ended;
  });
  const url = `${scheme}://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url.replace("https:", "http:")).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp, { timeout: 30_000 }).toBe(true);
  return url;
}

/** Asks for every path of administration, console and metrics; returns those that are served. */
async function administrationAt(url: string, served: Served): Promise<string[]> {
  const { paths } = (await (await fetch(`${served.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { servers?: object[] }>>;
  };
  const asked = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { servers }]) => ({ path, method, servers })),
    )
    .filter(({ servers }) => servers !== undefined)
    .concat(
      ["/console", "/console/", "/console/assets/x.js", "/console/incidents"].map((path) => ({
        path,
        method: "get",
        servers: [],
      })),
    );
  expect(asked.length).toBeGreaterThan(50);
  const found: string[] = [];
  for (const { path, method } of asked) {
    const { status, headers } = await fetch(url + path.replaceAll(/\{\w+\}/g, "x"), {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${TOKEN}`, "x-api-key": served.apiKey },
      redirect: "manual",
    });
    // The administration API also answers 404, for records, but never without this header.
    if (status !== 404 || headers.get("cache-control") === "no-store")
      found.push(`${method} ${path}`);
  }
  return found;
}

describe.skipIf(!hasNginx)(
  hasNginx ? "a stock nginx" : "a stock nginx: skipped, nginx is not installed",
  { timeout: 90_000 },
  () => {
    it("in front of the service serves lookups and no administration", async () => {
      const served = await serve();
      const port = await freePort();
      const url = await runNginx(
        port,
        `listen 127.0.0.1:${port}; location / { proxy_pass ${served.url}; }`,
      );
      expect(await administrationAt(url, served)).toEqual([]);
      const headers = { "x-api-key": served.apiKey };
      expect((await fetch(`${url}/v1/ips/203.0.113.81`, { headers })).status).toBe(200);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const env = { RISKGATE_API_KEY: served.apiKey };
      expect(await runCommand(["doctor", "--url", url], { env })).toMatchObject({ status: 0 });
    });

    it("that also forwards the other port is found by doctor", async () => {
      const served = await serve();
      const port = await freePort();
      const url = await runNginx(
        port,
        `listen 127.0.0.1:${port};
         location / { proxy_pass ${served.url}; }
         location /metrics { proxy_pass ${served.adminUrl}; }`,
      );
      const { status, stdout } = await runCommand(["doctor", "--url", url]);
      expect(status).toBe(1);
      expect(stdout).toContain("from /metrics");
      expect(stdout).toContain("--admin-port");
    });

    it("with TLS in front of administration serves the console of --admin-origin", async () => {
      const port = await freePort();
      const origin = `https://127.0.0.1:${port}`;
      const { adminUrl } = await serve("--admin-origin", origin);
      const now = Date.now();
      const pair = makeCertificate(
        "127.0.0.1",
        new Date(now - 86_400_000),
        new Date(now + 86_400_000),
      );
      await runNginx(
        port,
        `listen 127.0.0.1:${port} ssl;
         ssl_certificate ${scratch.file("cert.pem", pair.cert)};
         ssl_certificate_key ${scratch.file("key.pem", pair.key)};
         location / { proxy_pass ${adminUrl}; }`,
        "https",
      );
      const ask = (path: string, given?: Record<string, string>) =>
        new Promise<{ status: number | undefined; cookie: string | undefined }>(
          (resolve, reject) => {
            const sent = request(`${origin}${path}`, {
              ca: pair.cert,
              method: given ? "POST" : "GET",
              headers: { "content-type": "application/json", ...given },
            });
            sent.on("error", reject).on("response", (answer) => {
              answer.resume();
              resolve({ status: answer.statusCode, cookie: answer.headers["set-cookie"]?.[0] });
            });
            sent.end(given && JSON.stringify({ token: TOKEN }));
          },
        );
      const session = await ask("/console/session", { origin });
      expect(session.status).toBe(201);
      expect(session.cookie).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
      expect((await ask("/console/session", { origin: "https://evil.example" })).status).toBe(403);
      expect((await ask("/console/")).status).toBe(200);
      expect((await ask("/metrics")).status).toBe(401);
    });
  },
);

describe.skipIf(!reachable)(
  reachable ? "on a network" : "on a network: skipped, this machine has only loopback addresses",
  { timeout: 90_000 },
  () => {
    const at = (url: string): string => `http://${reachable}:${new URL(url).port}`;

    it("administration is not reachable, while lookups are", async () => {
      const served = await serve("--host", "0.0.0.0");
      const headers = { "x-api-key": served.apiKey };
      expect((await fetch(`${at(served.url)}/v1/ips/203.0.113.81`, { headers })).status).toBe(200);
      expect(await administrationAt(at(served.url), served)).toEqual([]);
      await expect(fetch(at(served.adminUrl))).rejects.toMatchObject({
        cause: { code: "ECONNREFUSED" },
      });
    });

    it("administration is reachable with --admin-host, and every answer with data needs a token", async () => {
      const file = scratch.file("metrics-token", METRICS_TOKEN);
      const { adminUrl } = await serve("--admin-host", "0.0.0.0", "--metrics-token-file", file);
      const url = at(adminUrl);
      const status = async (path: string, headers: Record<string, string> = {}) =>
        (await fetch(url + path, { headers })).status;
      expect(await status("/console/")).toBe(200);
      expect(await status("/admin/v1/applications")).toBe(401);
      expect(await status("/metrics")).toBe(401);
      expect(await status("/metrics", { authorization: `Bearer ${METRICS_TOKEN}` })).toBe(200);
      expect(await status("/admin/v1/applications", { authorization: `Bearer ${TOKEN}` })).toBe(
        200,
      );
      const session = await fetch(`${url}/console/session`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: url },
        body: JSON.stringify({ token: TOKEN }),
      });
      expect(session.status).toBe(201);
    });
  },
);
