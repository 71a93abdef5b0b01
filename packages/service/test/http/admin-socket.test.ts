import { chmodSync, existsSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../src/service.js";
import { ADMIN_TOKEN } from "../support/served-api.js";
import { temporaryDirectory } from "../support/temporary-storage.js";

const AT = { port: 0, host: "127.0.0.1" };

async function openService(options: { readonly adminOrigin?: string } = {}) {
  const dataDir = await temporaryDirectory();
  const service = await createService({ dataDir, adminToken: ADMIN_TOKEN, ...options });
  onTestFinished(() => service.close());
  return service;
}

/** Calls the administration API over a socket; returns the status. */
async function call(socketPath: string, path: string, body?: object): Promise<number> {
  const sent = request({
    socketPath,
    path: `/admin/v1${path}`,
    method: body ? "POST" : "GET",
    headers: {
      host: "localhost",
      authorization: `Bearer ${ADMIN_TOKEN}`,
      "content-type": "application/json",
      connection: "close",
    },
  });
  sent.end(body && JSON.stringify(body));
  const [answer] = (await once(sent, "response")) as [{ statusCode: number; resume(): void }];
  answer.resume();
  return answer.statusCode;
}

describe("adminSocket", () => {
  it("is a socket that only this account can connect to, until the service is closed", async () => {
    const directory = await temporaryDirectory();
    chmodSync(directory, 0o777);
    const path = join(directory, "a b%20#.sock");
    const service = await openService();
    const listening = await service.listen({ ...AT, adminSocket: path });
    expect(listening).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      adminUrl: `unix:${directory}/a%20b%2520%23.sock`,
    });
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(await call(path, "/applications")).toBe(200);
    // A webhook may not lead to the service; a socket has no address.
    const own = { webhookUrl: listening.url, allowedDestinations: ["127.0.0.0/8"] };
    expect(await call(path, "/applications", { name: "Shop", ...own })).toBe(400);
    const other = { ...own, webhookUrl: "http://127.0.0.1:9/" };
    expect(await call(path, "/applications", { name: "Shop", ...other })).toBe(201);
    await service.close();
    expect(existsSync(path)).toBe(false);
  });

  it("has a console at adminOrigin only", async () => {
    const adminSocket = join(await temporaryDirectory(), "s");
    const service = await openService({ adminOrigin: "https://risk.example" });
    expect(await service.listen({ ...AT, adminSocket })).toMatchObject({
      consoleUrl: "https://risk.example/console/",
    });
  });

  it("refuses a link, whatever it leads to", async () => {
    const directory = await temporaryDirectory();
    const target = join(directory, "target");
    writeFileSync(target, "mine");
    symlinkSync(target, join(directory, "s"));
    const service = await openService();
    await expect(
      service.listen({ ...AT, adminSocket: join(directory, "s") }),
    ).rejects.toMatchObject({ message: expect.stringContaining("it is not a socket") as string });
  });

  it.each<[string, (directory: string) => Promise<object> | object, string]>([
    ["a port beside it", () => ({ adminSocket: "s", adminPort: 0 }), "no other place"],
    ["an address beside it", () => ({ adminSocket: "s", adminHost: "::1" }), "no other place"],
    ["an empty path", () => ({ adminSocket: "" }), "expected a path"],
    ["a directory", (path) => ({ adminSocket: path }), "it is not a socket"],
    ["a path that is too long", (path) => ({ adminSocket: join(path, "x".repeat(99)) }), "long"],
    ["no directory", (path) => ({ adminSocket: join(path, "none", "s") }), "ENOENT"],
    [
      "a directory that is a file",
      (path) => {
        writeFileSync(join(path, "file"), "");
        return { adminSocket: join(path, "file", "s") };
      },
      "ENOTDIR",
    ],
    [
      "a socket on which another process listens",
      async (path) => {
        const other = createServer();
        onTestFinished(() => void other.close());
        await new Promise<void>((resolve) => other.listen(join(path, "s"), resolve));
        return { adminSocket: join(path, "s") };
      },
      "another process listens",
    ],
  ])("refuses %s, and leaves nothing behind", async (_, addressIn, reason) => {
    const directory = await temporaryDirectory();
    const service = await openService();
    const address = await addressIn(directory);
    await expect(service.listen({ ...AT, ...address })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(reason) as string,
      hint: expect.stringMatching(/./) as string,
    });
    expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
    // Nothing listens yet, so the place can be corrected.
    expect(await service.listen(AT)).toMatchObject({ url: expect.any(String) as string });
  });
});
