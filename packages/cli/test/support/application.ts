import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runNode } from "../../../../tools/test/run-node.js";
import type { Framework } from "../../src/init/templates.js";
import type { Finding } from "./findings.js";
import { runCommand, startNode } from "./run-command.js";

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** The forms that the source of an application comes in. */
export type Form = "module" | "commonjs" | "ts-module" | "ts-commonjs";

/** The application of each framework, around the lines that `riskgate init` prints. */
interface Application {
  /** Where its packages are installed. */
  readonly home: string;
  readonly packages: readonly string[];
  readonly imports: readonly (readonly [what: string, from: string])[];
  readonly code: (use: string) => string;
  /** Build what Node cannot run itself; gives the arguments of Node that start it. */
  readonly build?: (directory: string, text: string) => Promise<readonly string[]>;
}

const APPLICATIONS: Readonly<Record<Framework, Application>> = {
  express: {
    home: "examples/express",
    packages: ["@riskgate/engine", "@riskgate/express", "@types/express", "express"],
    imports: [["express", "express"]],
    code: (use) => `const app = express();
const handler = (_, response) => response.status(201).end();
${use}
const server = app.listen(0, "127.0.0.1", () => console.log(server.address().port));`,
  },
  fastify: {
    home: "examples/fastify",
    packages: ["@riskgate/engine", "@riskgate/fastify", "fastify"],
    imports: [["{ fastify }", "fastify"]],
    code: (use) => `const app = fastify();
const handler = (_, reply) => reply.code(201).send();
const start = async () => {
${use}
await app.listen({ port: 0, host: "127.0.0.1" });
console.log(app.server.address().port);
};
start();`,
  },
  koa: {
    home: "examples/koa",
    packages: [
      "@riskgate/engine",
      "@riskgate/koa",
      "@koa/bodyparser",
      "@koa/router",
      "@types/koa",
      "koa",
    ],
    imports: [
      ["{ bodyParser }", "@koa/bodyparser"],
      ["{ Router }", "@koa/router"],
      ["Koa", "koa"],
    ],
    code: (use) => `const router = new Router();
const handler = (context) => void (context.status = 201);
${use}
const server = new Koa().use(router.routes()).listen(0, "127.0.0.1", () => console.log(server.address().port));`,
  },
  hono: {
    home: "examples/hono",
    packages: ["@riskgate/engine", "@riskgate/hono", "@hono/node-server", "hono"],
    imports: [
      ["{ serve }", "@hono/node-server"],
      ["{ Hono }", "hono"],
      ["{ bodyLimit }", "hono/body-limit"],
    ],
    code: (use) => `const app = new Hono();
const handler = (context) => context.body(null, 201);
${use}
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port));`,
  },
  nest: {
    home: "examples/nest",
    packages: [
      "@riskgate/engine",
      "@riskgate/nest",
      "@nestjs/common",
      "@nestjs/core",
      "@nestjs/platform-express",
    ],
    imports: [
      ["{ Controller, Module, Post }", "@nestjs/common"],
      ["{ NestFactory }", "@nestjs/core"],
      ["{ RiskGate }", "@riskgate/nest"],
    ],
    code: (use) => `@Controller()
class SignUpController {
${use.replace(/\n/, "\n}\n")}
class AppModule {}
const start = async (): Promise<void> => {
const app = await NestFactory.create(AppModule, { logger: ["error", "warn"] });
await app.listen(0, "127.0.0.1");
console.log(app.getHttpServer().address().port);
};
void start();`,
    build: buildNest,
  },
  next: {
    home: "examples/next",
    packages: ["@riskgate/engine", "@riskgate/next", "@types/react", "next", "react", "react-dom"],
    imports: [],
    code: (use) => `const answer = new Response(null, { status: 201 });\n${use}`,
    build: buildNext,
  },
  web: {
    home: "examples/hono",
    packages: ["@riskgate/engine", "@riskgate/web", "@hono/node-server"],
    imports: [["{ serve }", "@hono/node-server"]],
    code: (use) => `const remoteAddress = "127.0.0.1";
const fetch = async (request) => {
const body = await request.clone().json();
${use}
return new Response(null, { status: 201 });
};
serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port));`,
  },
  lambda: {
    home: "examples/lambda",
    packages: ["@riskgate/engine", "@riskgate/lambda"],
    imports: [
      ["{ createServer }", "node:http"],
      ["{ text }", "node:stream/consumers"],
    ],
    code: (use) => `const answer = { statusCode: 201, body: "" };
${use.replaceAll(/^(exports\.(\w+)) =/gm, "const $2 = $1 =")}
const server = createServer(async (request, response) => {
const http = { method: request.method, sourceIp: "127.0.0.1" };
const event = { rawPath: request.url, headers: request.headers, requestContext: { http }, body: await text(request) };
const call = request.url === "/signup" ? signUp : receive;
const { statusCode, body } = await call(event, { getRemainingTimeInMillis: () => 10_000 });
response.writeHead(statusCode).end(body);
}).listen(0, "127.0.0.1", () => console.log(server.address().port));`,
  },
};

/** What `riskgate init --json` prints. */
export interface Init {
  readonly framework: Framework;
  readonly lookup: string;
  readonly integration: {
    readonly files: readonly { readonly path: string; readonly text: string }[];
    readonly use: readonly string[];
    readonly packages: readonly string[];
  };
  readonly env: { readonly set: readonly string[]; readonly kept: readonly string[] };
  readonly install?: string;
  readonly files: readonly string[];
  readonly findings: readonly Finding[];
}

/** Make a project with its packages, as its user has it before `riskgate init`. */
export function makeProject(directory: string, framework: Framework, form: Form): void {
  const { home, packages } = APPLICATIONS[framework];
  for (const name of packages) link(name, home, directory);
  const isTyped = form.startsWith("ts-");
  if (isTyped) {
    link("@types/node", ".", directory);
    writeFileSync(join(directory, "tsconfig.json"), "{}");
  }
  const type = form.endsWith("module") ? "module" : undefined;
  const dependencies = Object.fromEntries(packages.map((name) => [name, "*"]));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type, dependencies }));
}

function link(name: string, home: string, directory: string): void {
  const from = name.startsWith("@riskgate/")
    ? join(ROOT, "packages", name.slice("@riskgate/".length))
    : join(ROOT, home, "node_modules", name);
  const to = join(directory, "node_modules", name);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(realpathSync(from), to, "dir");
}

/** Where an application has its sign-up. */
export function signUpPath(framework: Framework): string {
  return framework === "next" ? "/api/signup" : "/signup";
}

/** Run `riskgate init --json` on a project. */
export async function initialise(
  directory: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Init> {
  const run = await runCommand(["init", "--dir", directory, ...args, "--json"], { env });
  if (run.status !== 0) throw new Error(run.stderr + run.stdout);
  return JSON.parse(run.stdout) as Init;
}

/** The application with the lines that `riskgate init` told to add. */
function applicationText({ framework, integration }: Init, form: Form): string {
  const [own = "", ...use] = integration.use;
  const { imports, code } = APPLICATIONS[framework];
  const isModule = form !== "commonjs";
  const lines = imports.map(([what, from]) =>
    isModule ? `import ${what} from "${from}";` : `const ${what} = require("${from}");`,
  );
  return [...lines, own, code(use.join("\n"))].join("\n");
}

/** Start the application in a process of its own, with the `.env` of the project; gives its address. */
export async function startApplication(directory: string, init: Init, form: Form): Promise<string> {
  const text = applicationText(init, form);
  const { build = write(form === "module" ? "app.mjs" : "app.cjs") } = APPLICATIONS[init.framework];
  const app = startNode(await build(directory, text), {
    cwd: directory,
    env: QUIET,
    limitMs: BUILD_MS,
  });
  onTestFinished(async () => {
    app.child.kill("SIGKILL");
    await app.ended;
  });
  for (;;) {
    const [, port] = /(?:^|:)(\d+)$/.exec(await app.line()) ?? [];
    if (port !== undefined) return `http://127.0.0.1:${port}`;
  }
}

const QUIET = { NEXT_TELEMETRY_DISABLED: "1" };
const BUILD_MS = 300_000;

function write(file: string): NonNullable<Application["build"]> {
  return (directory, text) => {
    writeFileSync(join(directory, file), text);
    return Promise.resolve(["--env-file=.env", file]);
  };
}

/** With the compiler options of a new application of Nest. */
async function buildNest(directory: string, text: string): Promise<readonly string[]> {
  writeFileSync(join(directory, "app.ts"), text);
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    strict: true,
    declaration: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
    types: ["node"],
    rootDir: ".",
    outDir: "dist",
  };
  const config = { compilerOptions, files: ["app.ts"] };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config));
  await run([join(ROOT, "node_modules/typescript/bin/tsc")], directory);
  return ["--env-file=.env", "dist/app.js"];
}

/** The sign-up route is written already; the line to add guards another one. */
async function buildNext(directory: string, text: string): Promise<readonly string[]> {
  const route = existsSync(join(directory, "riskgate.ts")) ? "route.ts" : "route.js";
  mkdirSync(join(directory, "app/login"));
  writeFileSync(join(directory, "app/login", route), text.replace("./riskgate", "../../riskgate"));
  // The packages are links to other folders of the repository.
  const config = `export default { turbopack: { root: ${JSON.stringify(ROOT.replace(/\/$/, ""))} } };\n`;
  writeFileSync(join(directory, "next.config.mjs"), config);
  const next = join(directory, "node_modules/next/dist/bin/next");
  await run([next, "build"], directory);
  return [next, "start", "--port", "0", "-H", "127.0.0.1"];
}

async function run(args: readonly string[], directory: string): Promise<void> {
  const { status, stdout, stderr } = await runNode(args, directory, BUILD_MS, QUIET);
  if (status !== 0) throw new Error(stdout + stderr);
}
