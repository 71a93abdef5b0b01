import { lstatSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRiskClient } from "@riskgate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  keepSandbox,
  openSandbox,
  readSandbox,
  type Sandbox,
  SANDBOX_FILE,
} from "../../src/serve/sandbox.js";
import { scratchDirectory } from "../support/scratch.js";
import { startService } from "../support/start-service.js";

const scratch = scratchDirectory();
const WEBHOOK = "http://127.0.0.1:4000/";

/** A service with a sandbox, as the file of its directory keeps it. */
async function open() {
  const { service, client, url } = await startService(mkdtempSync(join(scratch.path, "data-")));
  const host = { client, signingSecrets: (id: string) => service.signingSecrets(id) };
  const settings = { webhookUrl: WEBHOOK, allowedDestinations: ["127.0.0.1"] };
  const made = await openSandbox(host, undefined, settings);
  return { client, url, made, again: () => openSandbox(host, made, {}) };
}

const idOf = ({ applicationId }: Sandbox) => ({ id: applicationId });

async function score(url: string, { apiKey }: Sandbox): Promise<number> {
  const client = createRiskClient({ baseUrl: url, apiKey });
  onTestFinished(() => client.close());
  return (await client.lookupIp("203.0.113.81")).risk_score;
}

describe("a kept sandbox", () => {
  it.skipIf(process.platform === "win32")(
    "is written through no link that others plant",
    async () => {
      const directory = mkdtempSync(join(scratch.path, "planted-"));
      const victim = join(directory, "victim");
      writeFileSync(victim, "precious");
      const file = join(directory, SANDBOX_FILE);
      for (const path of [file, `${file}.${process.pid}.tmp`]) symlinkSync(victim, path);
      await keepSandbox(directory, {
        applicationId: "a",
        apiKey: "k",
        reportKey: "r",
        signingSecret: "s",
      });
      expect(readFileSync(victim, "utf8")).toBe("precious");
      expect(await readSandbox(file)).toMatchObject({ apiKey: "k" });
      expect(lstatSync(file).mode & 0o777).toBe(0o600);
    },
  );

  it("stays as it is while nothing has changed", async () => {
    const { made, again } = await open();
    expect(await again()).toEqual(made);
  });

  it("has both secrets during a rotation, and the new one after it", async () => {
    const { client, made, again } = await open();
    const { secret } = await client.call("POST /applications/{id}/secrets", { parts: idOf(made) });
    expect(secret).not.toBe(made.signingSecret);
    expect(await again()).toEqual({ ...made, nextSigningSecret: secret });
    await client.call("POST /applications/{id}/secrets/finish", { parts: idOf(made) });
    expect(await again()).toEqual({ ...made, signingSecret: secret });
  });

  it("has a new key of the same application for one that was revoked", async () => {
    const { client, url, made, again } = await open();
    const { keys } = await client.call("GET /applications/{id}", { parts: idOf(made) });
    for (const { id: keyId } of keys) {
      const parts = { ...idOf(made), keyId };
      await client.call("DELETE /applications/{id}/keys/{keyId}", { parts });
    }
    const renewed = await again();
    expect(renewed).toMatchObject({
      applicationId: made.applicationId,
      signingSecret: made.signingSecret,
    });
    expect(renewed.apiKey).not.toBe(made.apiKey);
    expect(renewed.reportKey).not.toBe(made.reportKey);
    expect(await score(url, renewed)).toBe(81);
    const { applications } = await client.call("GET /applications");
    expect(applications).toMatchObject([{ webhookUrl: WEBHOOK }]);
  });

  it("is made anew once its application was deleted", async () => {
    const { client, url, made, again } = await open();
    await client.call("DELETE /applications/{id}", { parts: idOf(made) });
    const renewed = await again();
    expect(renewed.applicationId).not.toBe(made.applicationId);
    expect(await score(url, renewed)).toBe(81);
  });
});

describe("the file of a sandbox", () => {
  const sandbox = { applicationId: "a", apiKey: "k", reportKey: "r", signingSecret: "s" };

  it("is for its owner alone, whatever it was before", async () => {
    const directory = mkdtempSync(join(scratch.path, "kept-"));
    const file = join(directory, SANDBOX_FILE);
    writeFileSync(file, "{}", { mode: 0o644 });
    const kept = { ...sandbox, adminToken: "0".repeat(48) };
    await keepSandbox(directory, kept);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readSandbox(file)).toEqual(kept);
  });

  it("gives no token that `serve` has not generated", async () => {
    const file = scratch.file("odd.json", JSON.stringify({ ...sandbox, adminToken: "guess me" }));
    expect(await readSandbox(file)).toEqual(sandbox);
  });
});
