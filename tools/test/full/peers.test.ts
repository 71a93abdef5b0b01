import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectsIn } from "../../workspace.mjs";
import { packed } from "../packed.js";
import { runNode, runProgram } from "../run-node.js";

/** Adapter, framework, and the packages that an application of it installs besides. */
const FRAMEWORKS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ["express", "express", {}],
  ["fastify", "fastify", {}],
  ["koa", "koa", {}],
  ["hono", "hono", { "@hono/node-server": "1.19.0" }],
  ["nest", "@nestjs/core", { "reflect-metadata": "0.1.14", rxjs: "7.8.1" }],
];
/** Packages of one framework that have the same versions. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  "@nestjs/core": ["@nestjs/core", "@nestjs/common", "@nestjs/platform-express"],
};
/** Versions that need a later Node than we do. */
const LATER = Number(process.versions.node.split(".")[0]) < 22 ? ["@nestjs/core ^12.0.0"] : [];
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/;
const MINUTE = 60_000;

/** Posts a sign-up that is refused, one that passes, and a signed delivery. */
const SMOKE = `
import { createServer } from "node:http";
import { payloads, signDelivery } from "@riskgate/testing";
const scored = (score) => ({ risk_score: score });
const lookup = {
  lookupIp: async () => scored(0),
  lookupEmail: async (email) => scored(email.startsWith("eve") ? 90 : 0),
};
const gate = { lookup, lookupPrivateIps: true };
const webhook = { secrets: "secret", on: { test: () => {} } };
const listening = (server) =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
const starts = {
  async express({ riskGate, webhookRoute }) {
    const { default: express } = await import("express");
    const app = express();
    app.post("/webhook", webhookRoute(webhook));
    app.post("/signup", express.json(), riskGate(gate), (_, res) => res.sendStatus(201));
    return listening(createServer(app));
  },
  async fastify({ riskGate, webhookRoute }) {
    const { default: fastify } = await import("fastify");
    const app = fastify();
    await app.register(riskGate, gate);
    await app.register(webhookRoute, { path: "/webhook", ...webhook });
    app.post("/signup", { preHandler: app.riskGate() }, (_, reply) => reply.code(201).send(""));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return app.server;
  },
  async koa({ riskGate, webhookRoute }) {
    const { default: Koa } = await import("koa");
    const app = new Koa();
    const [receive, guard] = [webhookRoute(webhook), riskGate(gate)];
    app.use(async (ctx, next) => {
      if (ctx.path === "/webhook") return receive(ctx, next);
      let text = "";
      for await (const chunk of ctx.req) text += chunk;
      ctx.request.body = JSON.parse(text);
      return guard(ctx, () => (ctx.status = 201));
    });
    return listening(createServer(app.callback()));
  },
  async hono({ riskGate, webhookRoute }) {
    const { Hono } = await import("hono");
    const { createAdaptorServer } = await import("@hono/node-server");
    const app = new Hono();
    app.post("/webhook", webhookRoute(webhook));
    const guard = riskGate({ ...gate, clientAddress: () => "127.0.0.1" });
    app.post("/signup", guard, (c) => c.body(null, 201));
    return listening(createAdaptorServer(app));
  },
  async nest({ RiskGate, RiskGateModule, RiskGateWebhookModule }) {
    await import("reflect-metadata");
    const { Controller, Module, Post } = await import("@nestjs/common");
    const { NestFactory } = await import("@nestjs/core");
    class Users { signUp() { return ""; } }
    const signUp = Object.getOwnPropertyDescriptor(Users.prototype, "signUp");
    for (const decorate of [Post("signup"), RiskGate()]) decorate(Users.prototype, "signUp", signUp);
    Controller()(Users);
    class App {}
    const hook = RiskGateWebhookModule.forRoot({ path: "/webhook", ...webhook });
    Module({ imports: [RiskGateModule.forRoot(gate), hook], controllers: [Users] })(App);
    const app = await NestFactory.create(App, { logger: ["error"], rawBody: true });
    await app.listen(0, "127.0.0.1");
    return app.getHttpServer();
  },
};
const name = process.argv[2];
const server = await starts[name](await import("@riskgate/" + name));
const post = async (path, body, headers) => {
  const url = "http://127.0.0.1:" + server.address().port + path;
  return (await fetch(url, { method: "POST", body, headers })).status;
};
const signUp = (email) =>
  post("/signup", JSON.stringify({ email }), { "content-type": "application/json" });
const { body, headers } = signDelivery([payloads.test()], "secret");
console.log(await signUp("eve@x.example"), await signUp("ann@x.example"), await post("/webhook", body, headers));
process.exit(0);
`;

const packages = projectsIn("packages").filter(({ published }) => published);
/** The lowest and the highest version of every major that an adapter claims. */
const CLAIMED = FRAMEWORKS.flatMap(([adapter, peer, others]) => {
  const { manifest } = packages.find(({ name }) => name === adapter)!;
  const { [peer]: range = "" } = manifest.peerDependencies ?? {};
  return range
    .split(" || ")
    .flatMap((part) => (LATER.includes(`${peer} ${part}`) ? [] : [part.replace("^", ""), part]))
    .map((version) => ({ adapter, peer, version, others }));
});

let folder: string;
let tarballs: ReadonlyMap<string, string>;
let offline = false;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "riskgate-peers-")));
  tarballs = await packed(folder);
  const { stderr } = await npm(["view", "express", "version", "--fetch-retries=1"], folder);
  offline = OFFLINE.test(stderr);
  if (offline) process.stdout.write("The registry is not reachable: no peer is tested\n");
}, 5 * MINUTE);

beforeEach(({ skip }) => skip(offline, "the registry is not reachable"));

afterAll(() => rmSync(folder, { recursive: true, force: true }), 10 * MINUTE);

describe("peer dependencies", { timeout: 5 * MINUTE }, () => {
  it("have one range of the form ^1.2.3 for each major", () => {
    expect(CLAIMED.filter(({ version }) => !/^\^?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(new Set(CLAIMED.map(({ adapter }) => adapter)).size).toBe(FRAMEWORKS.length);
  });

  it.each(CLAIMED)("guard and receive with $peer $version", async (claimed) => {
    const { adapter, peer, version, others } = claimed;
    const path = join(folder, `${adapter}-${version.replace("^", "newest-")}`);
    mkdirSync(path);
    const peers = (TOGETHER[peer] ?? [peer]).map((name) => [name, version]);
    const own = [`@riskgate/${adapter}`, "@riskgate/testing"];
    const dependencies = {
      ...others,
      ...Object.fromEntries(peers),
      ...Object.fromEntries(own.map((name) => [name, tarballs.get(name)])),
    };
    const overrides = Object.fromEntries([...tarballs].filter(([name]) => !own.includes(name)));
    const manifest = JSON.stringify({ private: true, type: "module", dependencies, overrides });
    writeFileSync(join(path, "package.json"), manifest);
    writeFileSync(join(path, "smoke.js"), SMOKE);
    // Without --force, npm refuses versions outside the ranges.
    const { status, stderr } = await npm(["install", "--prefer-offline"], path);
    expect(status, stderr).toBe(0);
    expect(await runNode(["smoke.js", adapter], path)).toMatchObject({
      stdout: "403 201 204\n",
      status: 0,
    });
  });
});

function npm(args: readonly string[], cwd: string) {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return runProgram("npm", [...args, ...quiet], cwd, 4 * MINUTE);
}
