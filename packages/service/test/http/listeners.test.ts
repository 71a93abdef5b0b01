import { createServer } from "node:http";
import { rawRequest } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../src/service.js";
import { document } from "../support/openapi-document.js";
import { ADMIN_TOKEN, serveApi } from "../support/served-api.js";
import { temporaryDirectory } from "../support/temporary-storage.js";

/** Paths that the document does not describe. */
const PAGES = ["/console", "/console/", "/console/incidents", "/console/assets/none.js"];

describe("the listeners of a service", () => {
  it("serve each path on exactly one, and the OpenAPI document on both", async () => {
    const { port, adminPort, storage, application } = await serveApi({
      adminProofKey: "k".repeat(16),
    });
    const report = await storage.applications.addKey(application.id, "report");
    const blocks = await storage.applications.addKey(application.id, "blocks");
    // A method that no path serves: 405 if the path exists, otherwise 404.
    const isServed = async (at: number, path: string) => {
      const headers = [
        ["Authorization", `Bearer ${ADMIN_TOKEN}`],
        ["X-API-Key", path === "/v1/blocks" ? blocks.key : report.key],
      ] as const;
      const { status } = await rawRequest(at, { method: "OPTIONS", path, headers });
      expect([404, 405], path).toContain(status);
      return status === 405;
    };
    const documented = Object.entries(document.paths).map(
      ([path, methods]) => [path, Object.values(methods)] as const,
    );
    expect(documented.length).toBeGreaterThan(45);
    for (const [path, operations] of documented) {
      const asked = path.replaceAll(/\{\w+\}/g, "x");
      const isAdmin = operations.every(({ servers }) => servers !== undefined);
      const isBoth = path === "/openapi.json";
      expect(await isServed(port, asked), path).toBe(isBoth || !isAdmin);
      expect(await isServed(adminPort, asked), path).toBe(isBoth || isAdmin);
    }
    for (const path of PAGES) {
      expect(await isServed(port, path), path).toBe(false);
      expect(await isServed(adminPort, path), path).toBe(true);
    }
  });

  it("are on this machine for administration, whatever `host` is", async () => {
    const service = await createService({
      dataDir: await temporaryDirectory(),
      adminToken: ADMIN_TOKEN,
    });
    onTestFinished(() => service.close());
    const urls = await service.listen({ port: 0, host: "0.0.0.0" });
    expect(urls).toEqual({
      url: expect.stringMatching(/^http:\/\/0\.0\.0\.0:\d+$/) as string,
      adminUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      consoleUrl: `${urls.adminUrl}/console/`,
    });
  });

  it("are both refused as webhook URLs", async () => {
    const service = await createService({
      dataDir: await temporaryDirectory(),
      adminToken: ADMIN_TOKEN,
    });
    onTestFinished(() => service.close());
    const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    for (const webhookUrl of [url, adminUrl]) {
      const answer = await fetch(`${adminUrl}/admin/v1/applications`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          "content-type": "application/json",
          connection: "close",
        },
        body: JSON.stringify({ name: "Shop", webhookUrl, allowedDestinations: ["127.0.0.0/8"] }),
      });
      expect(answer.status, webhookUrl).toBe(400);
    }
  });

  it("name the option of the port that is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    for (const [ports, option] of [
      [{ port, adminPort: 0 }, "`port`"],
      [{ port: 0, adminPort: port }, "`adminPort`"],
    ] as const) {
      const service = await createService({ dataDir: await temporaryDirectory() });
      onTestFinished(() => service.close());
      await expect(service.listen({ ...ports, host: "127.0.0.1" })).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining("EADDRINUSE") as string,
        hint: expect.stringContaining(option) as string,
      });
    }
  });
});
