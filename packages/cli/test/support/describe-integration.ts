import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { createFakeService, payloads, signDelivery } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Framework } from "../../src/init/templates.js";
import { type Form, initialise, makeProject, signUpPath, startApplication } from "./application.js";
import { runCommand } from "./run-command.js";
import { scratchDirectory } from "./scratch.js";

const SECRET = "hook secret 'with' #signs";
const BLOCKED = "grace@example.com";
/** Next.js is built first. */
const LIMIT_MS = 400_000;
const JSON_TYPE = { "content-type": "application/json" };

/** Run what `riskgate init` writes for these frameworks, in processes of their own. */
export function describeIntegration(
  frameworks: readonly Framework[],
  form: Form,
  parent?: string,
): void {
  const scratch = scratchDirectory(parent);

  describe(`what riskgate init writes, as ${form}`, () => {
    it.for(frameworks)(
      "guards sign-ups and receives webhooks with %s",
      { timeout: LIMIT_MS },
      async (framework) => {
        const directory = join(scratch.path, framework);
        mkdirSync(directory);
        makeProject(directory, framework, form);
        const service = await createFakeService({
          answers: { "bad@example.com": { risk_score: 95 } },
        });
        onTestFinished(() => service.close());
        const args = ["--base-url", service.baseUrl, "--framework", framework, "--write"];
        const env = { RISKGATE_API_KEY: service.apiKey, RISKGATE_SIGNING_SECRET: SECRET };
        const init = await initialise(directory, args, env);
        expect(init.findings.length).toBeGreaterThan(5);
        expect(statSync(join(directory, ".env")).mode & 0o777).toBe(0o600);

        const url = await startApplication(directory, init, form);
        const post = async (path: string, body: string | Buffer, headers: object = {}) =>
          (await fetch(url + path, { method: "POST", body, headers: { ...JSON_TYPE, ...headers } }))
            .status;
        const signUp = (email: string) => post(signUpPath(framework), JSON.stringify({ email }));
        expect(await signUp("ada@example.com")).toBe(201);
        // The gate lets pass what it does not know within its budget.
        await expect.poll(() => signUp("bad@example.com")).toBe(403);
        expect(await signUp(BLOCKED)).toBe(201);

        const response = payloads.securityResponse({
          properties: { ips: [], user_identifiers: [{ email: BLOCKED }] },
        });
        const forged = signDelivery([response], "another secret");
        expect(await post("/webhooks/security", forged.body, forged.headers)).toBe(401);
        expect(await signUp(BLOCKED)).toBe(201);
        const signed = signDelivery([response, payloads.test()], SECRET);
        expect(await post("/webhooks/security", signed.body, signed.headers)).toBe(204);
        expect(await signUp(BLOCKED)).toBe(403);

        const webhook = ["doctor", "--webhook", `${url}/webhooks/security`];
        const doctor = await runCommand(webhook, {
          env: parseEnv(readFileSync(join(directory, ".env"), "utf8")) as Record<string, string>,
        });
        expect(doctor).toMatchObject({ status: 0, stderr: expect.stringContaining("0 faults") });
      },
    );
  });
}

/** Run what `riskgate init` writes for a framework without a service. */
export function describeEngine(framework: Framework, form: Form, parent?: string): void {
  const scratch = scratchDirectory(parent);

  describe(`what riskgate init writes for an engine, as ${form}`, () => {
    it(`scores without a service with ${framework}`, { timeout: LIMIT_MS }, async () => {
      makeProject(scratch.path, framework, form);
      const args = ["--lookup", "engine", "--framework", framework, "--write"];
      const init = await initialise(scratch.path, args);
      const url = await startApplication(scratch.path, init, form);
      const signUp = async (email: string) => {
        const body = JSON.stringify({ email });
        const sent = { method: "POST", headers: JSON_TYPE, body };
        return (await fetch(url + signUpPath(framework), sent)).status;
      };
      expect(await signUp("ada@example.com")).toBe(201);
      expect(await signUp("<script>alert(1)</script>@example.com")).toBe(403);
    });
  });
}
