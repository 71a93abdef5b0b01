import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  jsonLines,
  patientAt,
  runCommand,
  type RunningCommand,
  startCommand,
} from "../../support/run-command.js";
import { type Finding, statesOf } from "../../support/findings.js";
import { serve } from "../../support/receiver.js";
import { scratchDirectory } from "../../support/scratch.js";

interface Started extends RunningCommand {
  readonly url: string;
  readonly adminUrl: string;
  readonly consoleUrl?: string;
  readonly dataDir: string;
  readonly applicationId?: string;
  readonly apiKey?: string;
  readonly reportKey?: string;
  readonly signingSecret?: string;
}

interface Created {
  readonly application: { readonly id: string };
  readonly key: string;
  readonly secret: string;
}

const scratch = scratchDirectory();
/** Start `riskgate serve` and wait until it listens. */
async function startService(...options: string[]): Promise<Started> {
  const command = startCommand(["serve", "--port", "0", "--json", ...options]);
  onTestFinished(() => void command.child.kill("SIGKILL"));
  return { ...command, ...(JSON.parse(await command.line()) as object) } as Started;
}

const newDataDir = (): string => mkdtempSync(join(scratch.path, "data-"));

async function json<T>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await runCommand([...args, "--json"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return jsonLines<T>(stdout).at(0)!;
}

// Many processes one after the other, each of which opens a database.
describe("riskgate serve", { timeout: 90_000 }, () => {
  it("serves a sandbox without set-up, and leaves nothing behind", async () => {
    const started = await startService("--sandbox");
    expect(started.consoleUrl).toBe(`${started.adminUrl}/console/`);
    expect((await fetch(started.consoleUrl!)).status).toBe(200);
    const { url, applicationId, apiKey, reportKey, signingSecret, dataDir, child, ended } = started;
    expect(applicationId).toMatch(/^[0-9a-f]{24}$/);
    expect(signingSecret).toMatch(/^\S{16,}$/);
    const env = { RISKGATE_API_KEY: apiKey! };
    const magic = await runCommand(["lookup", "ip", "203.0.113.81", ...patientAt(url)], { env });
    expect(magic).toEqual({ status: 0, stdout: "203.0.113.81  81 reject\n", stderr: "" });
    const fault = await runCommand(
      ["lookup", "email", "unauthorized@example.com", ...patientAt(url)],
      {
        env,
      },
    );
    expect(fault.status).toBe(4);
    const doctor = await runCommand(["doctor", "--url", url, "--json"], { env });
    expect(doctor).toMatchObject({ status: 0, stderr: "" });
    const states = statesOf(jsonLines<Finding>(doctor.stdout));
    expect(states.filter(([, state]) => state !== "ok")).toEqual([]);
    const report = (key: string | undefined) =>
      fetch(`${url}/v1/reports/events`, {
        method: "POST",
        headers: { "x-api-key": key!, "content-type": "application/json" },
        body: '[{"event_kind":"xss"}]',
      });
    expect((await report(reportKey)).status).toBe(200);
    expect((await report(apiKey)).status).toBe(401);
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(dataDir)).toBe(false);
  });

  it("has the sandbox of its data directory again, with what is newly said of it", async () => {
    const dataDir = newDataDir();
    const first = await startService("--sandbox", "--data-dir", dataDir);
    first.child.kill("SIGTERM");
    await first.ended;
    expect(statSync(join(dataDir, "sandbox.json")).mode & 0o777).toBe(0o600);
    const webhook = ["--webhook-url", "http://127.0.0.1:4000/", "--allow", "127.0.0.0/8"];
    const second = await startService("--sandbox", "--data-dir", dataDir, ...webhook);
    const known = ({ applicationId, apiKey, reportKey, signingSecret }: Started) => ({
      applicationId,
      apiKey,
      reportKey,
      signingSecret,
    });
    expect(known(second)).toEqual(known(first));
    const listed = await json<{ applications: object[] }>("app", "list", "--data-dir", dataDir);
    expect(listed.applications).toMatchObject([{ webhookUrl: "http://127.0.0.1:4000/" }]);
    await runCommand(["app", "delete", first.applicationId!, "--yes", "--data-dir", dataDir]);
    second.child.kill("SIGTERM");
    await second.ended;
    const third = await startService("--sandbox", "--data-dir", dataDir);
    expect(third.applicationId).not.toBe(first.applicationId);
  });

  it("prints what is true of a kept sandbox after a rotation and a revocation", async () => {
    const dataDir = newDataDir();
    const on = ["--data-dir", dataDir];
    const start = async () => {
      const started = await startService("--sandbox", ...on);
      const { token } = JSON.parse(readFileSync(join(dataDir, "admin.json"), "utf8")) as {
        token: string;
      };
      return { ...started, token };
    };
    const first = await start();
    const { applicationId } = first;
    const { keys } = await json<{ keys: { id: string; hint: string }[] }>(
      "app",
      "show",
      applicationId!,
      ...on,
    );
    const key = keys.find(({ hint }) => first.apiKey!.endsWith(hint))!;
    await json("app", "key", applicationId!, "--revoke", key.id, ...on);
    const { secret } = await json<{ secret: string }>("app", "rotate", applicationId!, ...on);
    first.child.kill("SIGTERM");
    await first.ended;

    const second = await start();
    const { reportKey, signingSecret, token } = first;
    const same = { applicationId, reportKey, token };
    expect(second).toMatchObject({ ...same, signingSecret, nextSigningSecret: secret });
    const env = { RISKGATE_API_KEY: second.apiKey! };
    const look = await runCommand(["lookup", "ip", "203.0.113.81", "--url", second.url], { env });
    expect(look).toMatchObject({ status: 0, stderr: "" });
    await json("app", "rotate", applicationId!, "--finish", ...on);
    second.child.kill("SIGTERM");
    await second.ended;

    const third = await start();
    expect(third).toMatchObject({ ...same, apiKey: second.apiKey, signingSecret: secret });
    expect(third).not.toHaveProperty("nextSigningSecret");
    expect(JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8"))).toEqual({
      applicationId,
      apiKey: third.apiKey,
      reportKey,
      signingSecret: secret,
      adminToken: token,
    });
  });

  it("leaves no new directory behind where the port is taken", async () => {
    const taken = await serve((_, response) => response.end());
    const dataDir = join(newDataDir(), "new");
    const { port } = new URL(taken);
    const run = await runCommand(["serve", "--sandbox", "--data-dir", dataDir, "--port", port]);
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toContain("EADDRINUSE");
    expect(existsSync(dataDir)).toBe(false);
  });

  it("takes limits from a settings file, and refuses what is no setting", async () => {
    const settings = join(scratch.path, "settings.json");
    writeFileSync(
      settings,
      JSON.stringify({ providerRules: false, rateLimit: { burst: 1, perSecond: 0.01 } }),
    );
    const { url, apiKey } = await startService("--sandbox", "--settings", settings);
    const look = () => fetch(`${url}/v1/ips/8.8.8.8`, { headers: { "x-api-key": apiKey! } });
    expect((await look()).status).toBe(200);
    expect((await look()).status).toBe(429);

    for (const [text, message] of [
      ['{"rateLimits":{}}', "`rateLimits`: unknown option; did you mean `rateLimit`?"],
      ["[]", "must be an object, given a list"],
      ["{", "settings.json:1:1: expected JSON"],
    ] as const) {
      writeFileSync(settings, text);
      const refused = await runCommand(["serve", "--sandbox", "--settings", settings]);
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain(message);
    }
  });

  it("logs requests by route, without whom they ask about", async () => {
    const { url, adminUrl, apiKey, child, ended } = await startService(
      "--sandbox",
      "--log",
      "info",
    );
    const headers = { "x-api-key": apiKey! };
    await fetch(`${url}/v1/emails/eve%40example.com`, { headers });
    await fetch(`${adminUrl}/admin/v1/applications/eve%40example.com`, { headers });
    await fetch(`${url}/eve%40example.com`, { headers });
    child.kill("SIGTERM");
    const { status, stderr } = await ended;
    expect(status).toBe(0);
    expect(stderr).not.toContain("example");
    expect(stderr).not.toContain(apiKey);
    const logged = jsonLines(stderr);
    expect(logged.slice(-3)).toMatchObject([
      { msg: "request", method: "GET", route: "/v1/emails/{email}", status: 200 },
      { msg: "request", method: "GET", route: "/admin/v1/applications/:id", status: 401 },
      { msg: "request", method: "GET", status: 404 },
    ]);
    expect(logged.at(-1)).not.toHaveProperty("route");
  });

  it("administers a data directory, whether a service runs on it or not", async () => {
    const dataDir = newDataDir();
    const { url, child, ended } = await startService("--data-dir", dataDir);
    expect(statSync(join(dataDir, "admin.json")).mode & 0o777).toBe(0o600);
    const on = ["--data-dir", dataDir];
    const { application, key } = await json<Created>("app", "create", "Shop", ...on);
    const look = (apiKey: string) =>
      runCommand(["lookup", "ip", "8.8.8.8", ...patientAt(url)], {
        env: { RISKGATE_API_KEY: apiKey },
      });
    expect(await look(key)).toMatchObject({ status: 0 });

    const here = ["app", "set", application.id, "--webhook-url", "http://127.0.0.1:4000/", ...on];
    const blocked = await runCommand(here);
    expect(blocked.status).toBe(1);
    expect(blocked.stderr).toContain("leads to 127.0.0.1");
    expect(blocked.stderr).toContain("(--allow 127.0.0.1)");
    expect(await runCommand([...here, "--allow", "127.0.0.1"])).toMatchObject({ status: 0 });

    const second = await json<{ key: string }>("app", "key", application.id, ...on);
    const { keys } = await json<{ keys: { id: string; hint: string }[] }>(
      "app",
      "show",
      application.id,
      ...on,
    );
    const first = keys.find(({ hint }) => key.endsWith(hint))!;
    await json("app", "key", application.id, "--revoke", first.id, ...on);
    expect(await look(key)).toMatchObject({ status: 4 });
    expect(await look(second.key)).toMatchObject({ status: 0 });

    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0 });
    expect(existsSync(join(dataDir, "admin.json"))).toBe(false);
    const { applications } = await json<{ applications: { id: string }[] }>("app", "list", ...on);
    expect(applications.map(({ id }) => id)).toEqual([application.id]);
    await json("app", "delete", application.id, "--yes", ...on);
    expect(await json("app", "list", ...on)).toEqual({ applications: [] });
  });

  it("refuses a second service on one data directory, with exit code 2", async () => {
    const dataDir = newDataDir();
    await startService("--data-dir", dataDir);
    const run = await runCommand(["serve", "--port", "0", "--data-dir", dataDir]);
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toContain("CONFIG_INVALID");
    // The refused one did not take the address of the other away.
    expect(await json("app", "list", "--data-dir", dataDir)).toEqual({ applications: [] });
  });

  it("says briefly, with exit code 2, where it cannot listen", async () => {
    const taken = await serve((_, response) => response.end());
    for (const [where, reason] of [
      [["--port", new URL(taken).port], "EADDRINUSE"],
      [["--port", "0", "--host", "192.0.2.1"], "EADDRNOTAVAIL"],
      [["--port", "0", "--host", "no-host.invalid"], "ENOTFOUND"],
    ] as const) {
      for (const command of [["serve", "--sandbox"], ["listen"]]) {
        const run = await runCommand([...command, ...where]);
        expect(run).toMatchObject({ status: 2, stdout: "" });
        const [message, hint, link, ...rest] = run.stderr.split("\n");
        expect(message).toContain(`cannot listen on`);
        expect(message).toMatch(reason === "ENOTFOUND" ? /ENOTFOUND|EAI_AGAIN/ : reason);
        expect(hint).toContain("Choose");
        expect(link).toContain("docs/errors.md#config_invalid");
        expect(rest).toEqual([""]);
      }
    }
  });

  it("finds its way past the address that a killed service left", async () => {
    const dataDir = newDataDir();
    const { child, ended } = await startService("--data-dir", dataDir);
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(join(dataDir, "admin.json"))).toBe(true);
    expect(await json("app", "list", "--data-dir", dataDir)).toEqual({ applications: [] });
    const again = await startService("--data-dir", dataDir);
    expect(await json("app", "list", "--data-dir", dataDir)).toEqual({ applications: [] });
    again.child.kill("SIGTERM");
    expect(await again.ended).toMatchObject({ status: 0 });
  });

  it("takes up what `riskgate feeds update` has fetched", async () => {
    let list = "9.9.9.9\n";
    const lists = await serve((_, response) => response.end(list));
    const feedsDir = newDataDir();
    const source = { kind: "tor", name: "exits", url: `${lists}exits` };
    writeFileSync(join(feedsDir, "feeds.json"), JSON.stringify([source]));
    writeFileSync(join(feedsDir, "vpn.txt"), "8.8.0.0/16\n");
    const dataDir = newDataDir();
    const options = ["--feeds-dir", feedsDir, "--data-dir", dataDir];
    const { url, apiKey } = await startService("--sandbox", ...options);
    const scoresOf = async () => {
      const args = ["lookup", "ip", "8.8.8.8", "1.1.1.1", ...patientAt(url), "--json", "--quiet"];
      const { stdout } = await runCommand(args, { env: { RISKGATE_API_KEY: apiKey! } });
      type Line = { assessment: { risk_score: number } };
      return jsonLines<Line>(stdout).map(({ assessment }) => assessment.risk_score);
    };
    expect(await scoresOf()).toEqual([45, 0]);
    list = "9.9.9.9\n1.1.1.1\n";
    const update = await runCommand(["feeds", "update", ...options, "--quiet"]);
    expect(update).toMatchObject({ status: 0, stderr: "" });
    expect(await scoresOf()).toEqual([45, 60]);
  });

  it("delivers a test payload to a listener, signed, and logs it", async () => {
    const secret = "rotated-in-by-the-test";
    const listener = startCommand(["listen", "--port", "0", "--count", "1", "--json"], {
      env: { RISKGATE_SIGNING_SECRET: secret },
    });
    onTestFinished(() => void listener.child.kill("SIGKILL"));
    const { listening } = JSON.parse(await listener.line()) as { listening: string };
    const options = ["--webhook-url", listening, "--allow", "127.0.0.0/8"];
    const dataDir = newDataDir();
    const { applicationId, url } = await startService(
      "--sandbox",
      "--data-dir",
      dataDir,
      ...options,
    );
    expect(url).toMatch(/^http:/);
    await json("app", "rotate", applicationId!, "--overlap-hours", "0", "--data-dir", dataDir);
    await json("trigger", "test", "--app", applicationId!, "--data-dir", dataDir);
    // The listener has another secret than the service: it refuses, and the log says so.
    expect(JSON.parse(await listener.line())).toMatchObject({ status: 401 });
    const on = ["--data-dir", dataDir];
    type Listed = { deliveries: { id: string }[] };
    type Shown = { attempts: { status: number | null }[] };
    const { deliveries } = await json<Listed>("deliveries", "list", ...on);
    const show = () => json<Shown>("deliveries", "show", deliveries.at(0)!.id, ...on);
    // A second attempt, which nobody hears, may come before it is asked.
    const statuses = async () => (await show()).attempts.map(({ status }) => status);
    await expect.poll(statuses).toContain(401);
  });

  it("LIF-05 ends at once at a second SIGTERM while it drains", async () => {
    const { url, apiKey, child, ended } = await startService("--sandbox");
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const held = fetch(`${url}/v1/emails/slow_headers@example.com`, {
      headers: { "x-api-key": apiKey! },
      signal: abort.signal,
    }).catch(() => "ended");
    // The request is there once another one is answered behind it.
    await fetch(`${url}/healthz`);
    child.kill("SIGTERM");
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          () => "up",
          () => "down",
        ),
      )
      .toBe("down");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 143 });
    expect(await held).toBe("ended");
  });
});
