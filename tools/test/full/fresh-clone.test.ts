import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProgram } from "../../../examples/test/program.js";
import { root } from "../../workspace.mjs";
import { runProgram } from "../run-node.js";
import { freePort } from "../free-port.js";

const MINUTE = 60_000;
/** Errors of npm and pnpm without access to the registry. */
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/;
const readme = readFileSync(join(root, "README.md"), "utf8");
const firstHour = readFileSync(join(root, "docs/first-hour.md"), "utf8");

/** The files of a clone of the next commit; empty without git. */
const listed = spawnSync("git", ["ls-files", "-z", "--cached"], { cwd: root, encoding: "utf8" });
const files = listed.status === 0 ? listed.stdout.split("\0").filter(Boolean) : [];

// Plays a person who has only Node and types the commands of README.md.
const title = "README.md on a fresh clone with an empty home";
describe.skipIf(files.length === 0)(files.length ? title : `${title} (no clone: skipped)`, () => {
  const place = mkdtempSync(join(tmpdir(), "fresh-clone-"));
  const clone = join(place, "riskgate");
  // A shell lacks the variables that a package manager sets for its scripts.
  const scripts = Object.keys(process.env).filter((name) => /^p?npm_|^INIT_CWD$/i.test(name));
  const settings = {
    ...Object.fromEntries(scripts.map((name) => [name, undefined])),
    HOME: join(place, "home"),
    CI: "true",
  };
  /** Runs a line in a shell; resolves to undefined without access to the registry. */
  const type = async (line: string, cwd: string): Promise<string | undefined> => {
    const { status, stdout, stderr } = await runProgram(
      "bash",
      ["-c", line],
      cwd,
      5 * MINUTE,
      settings,
    );
    if (status !== 0 && OFFLINE.test(stdout + stderr)) return undefined;
    expect(status, `${line}\n${stdout}\n${stderr}`).toBe(0);
    return stdout;
  };

  beforeAll(() => {
    for (const file of files) {
      mkdirSync(dirname(join(clone, file)), { recursive: true });
      cpSync(join(root, file), join(clone, file));
    }
    mkdirSync(settings.HOME);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));

  it(
    "shows what it does, installs from the clone, serves, and walks the first hour",
    { timeout: 15 * MINUTE },
    async ({ skip }) => {
      const start = /^npx --yes pnpm@10 start$/m.exec(readme)![0];
      const shown = await type(`${start} --once`, clone);
      skip(shown === undefined, "the registry cannot be reached");
      expect(shown).toContain("Every result is as expected.");

      const [, pack = ""] = /^(npx --yes pnpm@10 run pack:all)/m.exec(firstHour) ?? [];
      await type(pack, clone);
      const install = /^npm install \/path\/to\/the\/clone\/\S+/m.exec(firstHour)![0];
      const app = join(place, "app");
      mkdirSync(app);
      writeFileSync(join(app, "package.json"), '{ "private": true, "type": "module" }');
      await type(`${install.replace("/path/to/the/clone", clone)} express`, app);
      const [, block = ""] = /```ts\n(.*?)```/s.exec(readme)!;
      writeFileSync(
        join(app, "app.mjs"),
        block.replace("listen(3000)", "listen(0, () => process.exit())"),
      );
      await type("node app.mjs", app);
      expect(await type("npx riskgate --version", app)).toMatch(/^\d+\.\d+\.\d+\n$/);

      const command = /`(node packages\/cli\/dist\/main\.js)`/.exec(firstHour)![1]!.split(" ");
      const serve = [...command.slice(1), "serve", "--sandbox", "--port", "0"];
      const server = startProgram(clone, serve, settings, MINUTE);
      await server.printed(/http:\/\/127\.0\.0\.1:\d+/);
      expect(await server.stop("SIGTERM")).toBe(0);

      await walk(app);
    },
  );

  /** Follows docs/first-hour.md in an application with the packages installed, on free ports. */
  async function walk(installed: string): Promise<void> {
    const [port, servicePort] = await Promise.all([freePort(), freePort()]);
    const here = (text: string): string => text.replaceAll("3000", String(port));
    const [, code = ""] = /```js\n(.*?)```/s.exec(firstHour)!;
    const shop = join(installed, "shop");
    mkdirSync(shop);
    writeFileSync(join(shop, "package.json"), '{ "dependencies": { "express": "*" } }');
    writeFileSync(join(shop, "app.js"), here(code));
    const line = (start: string): string =>
      here(firstHour.split("\n").find((one) => one.startsWith(start))!).replace(/ +#.*/, "");

    const cli = join(installed, "node_modules/@riskgate/cli/dist/main.js");
    const serve = line("npx riskgate serve").split(" ").slice(2);
    const service = startProgram(
      shop,
      [cli, ...serve, "--port", String(servicePort), "--admin-port", "0"],
      settings,
      10 * MINUTE,
    );
    await service.printed(/Ctrl-C/);
    expect(await type(line("npx riskgate init"), shop)).toContain("Wrote riskgate.cjs, .env");
    const start = line("node --env-file").split(" ").slice(1);
    const application = startProgram(shop, start, settings, 10 * MINUTE);
    const told = firstHour.matchAll(/^(curl -i .*?) +# (\d+)(?:, (not )?watched)?$/gm);
    for (const [, command = "", status = "", not] of told) {
      // Until the application listens and the service answers within the gate's budget.
      const ask = async () =>
        type(`${here(command)} --silent --retry 20 --retry-connrefused`, shop);
      const answer = status === "201" ? `"watched":${not === undefined}` : ` ${status} `;
      await expect.poll(ask, { timeout: MINUTE, interval: 500 }).toContain(answer);
    }
    await type(line("npx riskgate trigger test"), shop);
    await application.printed(/test payload received/);
    expect(await type(line("npx riskgate trigger auth"), shop)).toContain("auth_bruteforce");
    const [, doctor = ""] = /`(npx riskgate doctor .*?)`/.exec(firstHour)!;
    expect(await type(here(doctor), shop)).not.toContain("skipped");
    const listen = line("npx riskgate listen").split(" ").slice(2);
    const listener = startProgram(shop, [cli, ...listen, "--port", "0"], settings, MINUTE);
    await listener.printed(/Listening on .*\n(?!Signing secret)/);
    await listener.stop("SIGTERM");
    await application.stop("SIGTERM");
    expect(await service.stop("SIGTERM")).toBe(0);
  }
});
