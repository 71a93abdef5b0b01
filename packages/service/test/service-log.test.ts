import { rawRequest } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../src/service.js";
import { temporaryDirectory } from "./support/temporary-storage.js";

type Entry = readonly [level: string, members: Record<string, unknown>, message: string];

/** A service whose log is kept. */
async function serveLogged(): Promise<{ adminUrl: string; port: number; entries: Entry[] }> {
  const entries: Entry[] = [];
  const log =
    (level: string) =>
    (members: object, message: string): void =>
      void entries.push([level, members as Record<string, unknown>, message]);
  const service = await createService({
    dataDir: await temporaryDirectory(),
    adminToken: "admin-token-of-the-tests",
    logger: { info: log("info"), warn: log("warn"), error: log("error") },
  });
  onTestFinished(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  return { adminUrl, port: Number(new URL(url).port), entries };
}

describe("the log of a service", () => {
  it("knows each request by method, route, status and time", async () => {
    const { port, entries } = await serveLogged();
    await rawRequest(port, { method: "GET", path: "/v1/ips/203.0.113.9" });
    await rawRequest(port, { method: "GET", path: "/healthz" });
    await expect.poll(() => entries.length).toBe(2);
    expect(entries).toEqual([
      [
        "info",
        { method: "GET", route: "/v1/ips/{ip}", status: 401, durationMs: expect.any(Number) },
        "request",
      ],
      [
        "info",
        { method: "GET", route: "/healthz", status: 200, durationMs: expect.any(Number) },
        "request",
      ],
    ]);
  });

  it("comes with metrics of what applications report", async () => {
    const { adminUrl } = await serveLogged();
    const ask = async (path: string, body?: unknown): Promise<string> => {
      const headers = {
        authorization: "Bearer admin-token-of-the-tests",
        "content-type": "application/json",
      };
      const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : {};
      return (await fetch(`${adminUrl}${path}`, init)).text();
    };
    const created = await ask("/admin/v1/applications", { name: "Shop" });
    const { id } = (JSON.parse(created) as { application: { id: string } }).application;
    const login = { account: "a@example.com", address: "192.0.2.1", success: true };
    await ask(`/admin/v1/applications/${id}/logins`, [login, { ...login, success: "perhaps" }]);
    const text = await ask("/metrics");
    for (const state of ["accepted", "refused"]) {
      expect(text).toContain(
        `riskgate_reported_elements_total{application="${id}",kind="login",state="${state}"} 1`,
      );
    }
    expect(text).toContain("# TYPE riskgate_detection_lag_seconds gauge");
  });

  it("is refused when it is no logger", async () => {
    const dataDir = await temporaryDirectory();
    const logger = { info() {} } as never;
    await expect(createService({ dataDir, logger })).rejects.toThrow(
      "`logger` must be an object with info, warn, error",
    );
  });
});
