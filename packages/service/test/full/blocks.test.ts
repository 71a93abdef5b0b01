import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServiceBlockStore } from "@riskgate/core/blocks";
import { describe, expect, it, onTestFinished } from "vitest";
import { shareBlocks } from "../../../../tools/test/block-processes.js";
import { freePort } from "../../../../tools/test/free-port.js";
import { createService, type ServiceOptions } from "../../src/index.js";

const TOKEN = "administration-token-1";
const NEVER = new AbortController().signal;

/** A service on a fixed port that can go away and come back. */
async function openService(options: Partial<ServiceOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "blocks-"));
  const port = await freePort();
  let service: Awaited<ReturnType<typeof createService>> | undefined;
  let adminUrl = "";
  const start = async (): Promise<void> => {
    service = await createService({
      adminToken: TOKEN,
      dispatch: false,
      dataDir,
      feeds: [],
      ...options,
    });
    ({ adminUrl } = await service.listen({ port, host: "127.0.0.1", adminPort: 0 }));
  };
  const stop = async (): Promise<void> => {
    await service?.close();
    service = undefined;
  };
  await start();
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const admin = async (path: string, body: object) => {
    const response = await fetch(`${adminUrl}/admin/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        connection: "close",
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { application: { id: string }; key: string };
  };
  const { application, key: lookupKey } = await admin("/applications", { name: "Shop" });
  const keyFor = async (scope: string): Promise<string> =>
    (await admin(`/applications/${application.id}/keys`, { scope })).key;
  return {
    url: `http://127.0.0.1:${port}`,
    applicationId: application.id,
    lookupKey,
    keyFor,
    admin,
    start,
    stop,
  };
}

const subjectOf = (subject: string): object =>
  subject.includes("@") ? { accounts: [subject] } : { ips: [subject] };

describe("blocks pulled from the service", () => {
  it("reach three processes, survive kill -9 and an outage, and can be removed", async () => {
    const { url, keyFor, admin, start, stop } = await openService();
    const took = await shareBlocks({
      program: fileURLToPath(new URL("../support/block-app.mjs", import.meta.url)),
      settings: { url, key: await keyFor("blocks") },
      change: async (_, action, subject) =>
        admin(action === "block" ? "/blocks" : "/releases", subjectOf(subject)),
      leave: stop,
      return: start,
    });
    expect(Object.keys(took)).toHaveLength(5);
  });

  // LIF-03: a warning of Node about leaked listeners fails the run.
  it("are read again and again on one connection without a trace", async () => {
    const { url, keyFor } = await openService();
    const store = createServiceBlockStore({ baseUrl: url, blocksKey: await keyFor("blocks") });
    for (let reads = 0; reads < 20; reads++) {
      expect(await store.changes(undefined, NEVER)).toMatchObject({ blocks: [] });
    }
  });

  it("need a key that permits nothing else, and name no account", async () => {
    const { url, keyFor, lookupKey, admin } = await openService();
    const [blocksKey, reportKey] = [await keyFor("blocks"), await keyFor("report")];
    const statusOf = async (path: string, key: string, method = "GET"): Promise<number> => {
      const response = await fetch(url + path, {
        method,
        headers: { "x-api-key": key, connection: "close" },
      });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await statusOf("/v1/blocks", blocksKey)).toBe(200);
    expect(await statusOf("/v1/blocks", lookupKey)).toBe(401);
    expect(await statusOf("/v1/blocks", reportKey)).toBe(401);
    expect(await statusOf("/v1/ips/8.8.8.8", blocksKey)).toBe(401);
    expect(await statusOf("/v1/reports/logins", blocksKey, "POST")).toBe(401);
    expect(await statusOf("/v1/blocks?cursor=x", blocksKey)).toBe(400);
    await admin("/blocks", { accounts: ["ada@shop.example"] });
    const headers = { "x-api-key": blocksKey, connection: "close" };
    const text = await (await fetch(`${url}/v1/blocks`, { headers })).text();
    expect(text).toMatch(/"target":"#[\w-]{22}"/);
    expect(text).not.toContain("ada");
  });

  it("come from playbooks without a webhook, in pages, and never name who is allowed", async () => {
    const { url, keyFor, applicationId, admin } = await openService({
      allow: { ips: ["9.9.0.0/16"] },
    });
    const [blocksKey, reportKey] = [await keyFor("blocks"), await keyFor("report")];
    await admin(`/applications/${applicationId}/playbooks`, {
      name: "Block",
      rule: { kinds: ["xss"] },
      response: { accounts: "all" },
    });
    await admin("/allowances", { ips: ["8.8.4.4"], accounts: ["boss@shop.example"] });
    const events = [
      ...Array.from({ length: 900 }, (_, n) => `8.9.${n >> 8}.${n & 255}`),
      "9.9.9.9",
      "8.8.4.4",
    ].map((ip) => ({ event_kind: "xss", ips: [ip] }));
    const people = ["boss@shop.example", "ada@shop.example"].map((value) => ({
      event_kind: "xss",
      application_account_account_keys: [{ name: "email", value }],
      ips: ["8.9.0.1"],
    }));
    const response = await fetch(`${url}/v1/reports/events`, {
      method: "POST",
      headers: {
        "x-api-key": reportKey,
        "content-type": "application/json",
        prefer: "wait=20",
        connection: "close",
      },
      body: JSON.stringify([...events, ...people]),
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    const store = createServiceBlockStore({ baseUrl: url, blocksKey });
    const blocked = async () => (await store.changes(undefined, NEVER)).blocks;
    const inForce = await blocked();
    const targets = new Set(inForce.map(({ target }) => target));
    expect(targets.size).toBe(901);
    expect(targets).toContain("8.9.3.131/32");
    expect(targets).toContain(`#${store.digestOf?.("ada@shop.example")}`);
    expect(targets).not.toContain("9.9.9.9/32");
    expect(targets).not.toContain("8.8.4.4/32");
    // Neither may an operator block them.
    expect(await admin("/blocks", { ips: ["8.8.4.4"] })).toMatchObject({
      code: 400,
      details: "8.8.4.4 is on the allow-list",
    });
    // An operator who allows an address ends its block.
    await admin("/allowances", { ips: ["8.9.0.2"] });
    await expect
      .poll(async () => (await blocked()).map(({ target }) => target))
      .not.toContain("8.9.0.2/32");
    expect((await blocked()).length).toBe(900);
  });
});
