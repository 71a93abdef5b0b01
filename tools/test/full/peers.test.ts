import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectsIn } from "../../workspace.mjs";
import { packed } from "../packed.js";
import { runNode, runProgram } from "../run-node.js";

/** A version of a framework that an adapter claims to work with. */
interface Claim {
  readonly adapter: string;
  readonly peer: string;
  readonly version: string;
}

/** Adapters, by the framework that applications install. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  express: "express",
  fastify: "fastify",
  koa: "koa",
  hono: "hono",
  nest: "@nestjs/core",
  next: "next",
};
/** Packages that have the same versions as Nest's core, and must be next to it. */
const NEST = ["core", "common", "platform-express"];
const BESIDES = { "@hono/node-server": "1.19.0", "reflect-metadata": "0.1.14", rxjs: "7.8.1" };
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/;
const MINUTE = 60_000;

/** Posts a sign-up that is refused, one that passes, and a signed delivery, to each version. */
const SMOKE = `
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
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
  async express({ riskGate, webhookRoute }, { default: express }) {
    const app = express();
    app.post("/webhook", webhookRoute(webhook));
    app.post("/signup", express.json(), riskGate(gate), (_, res) => res.sendStatus(201));
    return listening(createServer(app));
  },
  async fastify({ riskGate, webhookRoute }, { default: fastify }) {
    const app = fastify();
    await app.register(riskGate, gate);
    await app.register(webhookRoute, { path: "/webhook", ...webhook });
    app.post("/signup", { preHandler: app.riskGate() }, (_, reply) => reply.code(201).send(""));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return app.server;
  },
  async koa({ riskGate, webhookRoute }, { default: Koa }) {
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
  async hono({ riskGate, webhookRoute }, { Hono }) {
    const { createAdaptorServer } = await import("@hono/node-server");
    const app = new Hono();
    app.post("/webhook", webhookRoute(webhook));
    const guard = riskGate({ ...gate, clientAddress: () => "127.0.0.1" });
    app.post("/signup", guard, (c) => c.body(null, 201));
    return listening(createAdaptorServer(app));
  },
  async nest({ RiskGate, RiskGateModule, RiskGateWebhookModule }, { NestFactory }) {
    await import("reflect-metadata");
    const { Controller, Module, Post } = await import("@nestjs/common");
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
  async next({ riskGate, webhookRoute }, { default: { NextRequest } }) {
    const passes = async () => new Response(null, { status: 201 });
    const routes = {
      "/webhook": webhookRoute(webhook),
      "/signup": riskGate({ ...gate, clientAddress: () => "127.0.0.1" }, passes),
    };
    const answer = async (request, response) => {
      const { url, method, headers } = request;
      const body = await buffer(request);
      const given = new NextRequest("http://127.0.0.1" + url, { method, headers, body });
      response.writeHead((await routes[url](given, {})).status).end();
    };
    return listening(createServer((request, response) => void answer(request, response)));
  },
};
const [name, ...versions] = process.argv.slice(2);
const adapter = await import("@riskgate/" + name);
const use = async (framework) => {
  const server = await starts[name](adapter, await import(framework));
  const post = async (path, body, headers) => {
    const url = "http://127.0.0.1:" + server.address().port + path;
    return (await fetch(url, { method: "POST", body, headers })).status;
  };
  const signUp = (email) =>
    post("/signup", JSON.stringify({ email }), { "content-type": "application/json" });
  const { body, headers } = signDelivery([payloads.test()], "secret");
  return [await signUp("eve@x.example"), await signUp("ann@x.example"), await post("/webhook", body, headers)];
};
for (const version of versions) {
  const result = await use(version).catch((error) => [error.stack]);
  console.log(JSON.stringify([version, result.join(" ")]));
}
process.exit(0);
`;

const packages = projectsIn("packages").filter(({ published }) => published);
/**
 * The lowest and the highest version of every major that an adapter claims. Next is large, and its
 * adapter imports nothing from it: of earlier majors, only the lowest version.
 */
const CLAIMED: readonly Claim[] = Object.entries(FRAMEWORKS).flatMap(([adapter, peer]) => {
  const { manifest } = packages.find(({ name }) => name === adapter)!;
  const { [peer]: range = "" } = manifest.peerDependencies ?? {};
  return range
    .split(" || ")
    .flatMap((part, at, parts) => {
      const lowest = part.replace("^", "");
      return adapter === "next" && at < parts.length - 1 ? [lowest] : [lowest, part];
    })
    .map((version) => ({ adapter, peer, version }));
});

/** Name under which a version is installed, so that one installation has them all. */
const aliasOf = ({ adapter, version }: Claim): string =>
  `${adapter}-${version.replace("^", "newest-")}`;

const partsOf = (claim: Claim): readonly (readonly [alias: string, name: string])[] =>
  claim.adapter === "nest"
    ? NEST.map((part) => [`${aliasOf(claim)}-${part}`, `@nestjs/${part}`])
    : [[aliasOf(claim), claim.peer]];

let folder: string;
let offline = false;
/** What the smoke test of each version printed, by alias. */
let printed: ReadonlyMap<string, unknown>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "riskgate-peers-")));
  const tarballs = await packed(folder);
  const { status, stderr } = await installAll(tarballs);
  offline = OFFLINE.test(stderr);
  if (offline) {
    process.stdout.write("The registry is not reachable: no peer is tested\n");
    return;
  }
  if (status !== 0) throw new Error(`npm install: ${stderr}`);
  printed = await runAll();
}, 15 * MINUTE);

beforeEach(({ skip }) => skip(offline, "the registry is not reachable"));

afterAll(() => rmSync(folder, { recursive: true, force: true }), 10 * MINUTE);

describe("peer dependencies", () => {
  it("have one range of the form ^1.2.3 for each major", () => {
    expect(CLAIMED.filter(({ version }) => !/^\^?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(new Set(CLAIMED.map(({ adapter }) => adapter)).size).toBe(
      Object.keys(FRAMEWORKS).length,
    );
  });

  it.each(CLAIMED)("guard and receive with $peer $version", (claim) => {
    expect(printed.get(aliasOf(claim))).toBe("403 201 204");
  });
});

/** Installs every version by an alias: a separate installation of each takes ten times as long. */
async function installAll(tarballs: ReadonlyMap<string, string>) {
  const own = [...Object.keys(FRAMEWORKS), "testing"].map((name) => `@riskgate/${name}`);
  const dependencies = {
    ...BESIDES,
    ...Object.fromEntries(own.map((name) => [name, tarballs.get(name)])),
    ...Object.fromEntries(
      CLAIMED.flatMap((claim) =>
        partsOf(claim).map(([alias, name]) => [alias, `npm:${name}@${claim.version}`]),
      ),
    ),
  };
  const overrides = Object.fromEntries([...tarballs].filter(([name]) => !own.includes(name)));
  const manifest = JSON.stringify({ private: true, type: "module", dependencies, overrides });
  writeFileSync(join(folder, "package.json"), manifest);
  // Peers are the aliases; optional packages are compilers of Next.
  const options = ["--legacy-peer-deps", "--omit=optional", "--ignore-scripts", "--prefer-offline"];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return runProgram("npm", ["install", ...options, ...quiet], folder, 12 * MINUTE);
}

/** Runs the smoke test with every version: one process for each adapter, and each version of Nest. */
async function runAll(): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  const run = async (path: string, adapter: string, frameworks: readonly string[]) => {
    writeFileSync(join(path, "smoke.js"), SMOKE);
    const { stdout, stderr } = await runNode(
      ["smoke.js", adapter, ...frameworks],
      path,
      4 * MINUTE,
    );
    const lines = stdout.split("\n").filter((line) => line.startsWith("["));
    const results = new Map(lines.map((line) => JSON.parse(line) as [string, string]));
    return (framework: string): unknown => results.get(framework) ?? stderr;
  };
  for (const adapter of Object.keys(FRAMEWORKS)) {
    const claims = CLAIMED.filter((claim) => claim.adapter === adapter);
    if (adapter === "nest") {
      for (const claim of claims) {
        const resultOf = await run(nestFolder(claim), adapter, [claim.peer]);
        found.set(aliasOf(claim), resultOf(claim.peer));
      }
      continue;
    }
    const pathOf = (claim: Claim): string =>
      adapter === "next" ? `${aliasOf(claim)}/server.js` : aliasOf(claim);
    const resultOf = await run(folder, adapter, claims.map(pathOf));
    for (const claim of claims) found.set(aliasOf(claim), resultOf(pathOf(claim)));
  }
  return found;
}

/** Moves a version of Nest next to a copy of its adapter, which imports it by name. */
function nestFolder(claim: Claim): string {
  const path = join(folder, aliasOf(claim));
  const modules = join(path, "node_modules");
  mkdirSync(join(modules, "@nestjs"), { recursive: true });
  for (const [alias, name] of partsOf(claim)) {
    renameSync(join(folder, "node_modules", alias), join(modules, name));
  }
  const adapter = "@riskgate/nest";
  cpSync(join(folder, "node_modules", adapter), join(modules, adapter), { recursive: true });
  writeFileSync(join(path, "package.json"), '{"type":"module"}');
  return path;
}
