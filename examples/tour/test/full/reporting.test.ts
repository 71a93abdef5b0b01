import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createReporter,
  createRiskClient,
  type Reporter,
  type ReporterOptions,
  type RiskLookup,
} from "@riskgate/core";
import { loginWatch, requireDecision, riskGate } from "@riskgate/express";
import { createService } from "@riskgate/service";
import { serveHttp } from "@riskgate/testing";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";

const ADMIN_TOKEN = "choose-a-long-random-token";
const NEVER_BY_ITSELF = { intervalMs: 600_000, flushTimeoutMs: 60_000 };

/** Starts an application whose logins all fail, with a sign-up behind a gate. */
async function serveApp(reporter: Reporter, lookup?: RiskLookup): Promise<string> {
  const app = express();
  const trustedProxies = ["loopback"];
  app.use(express.json());
  app.post("/login", loginWatch({ reporter, trustedProxies }), (_request, response) => {
    response.status(401).json({});
  });
  if (lookup) {
    app.post(
      "/signup",
      riskGate({ lookup, trustedProxies, budgetMs: 60_000 }),
      (request, response) => {
        response.json({ outcome: requireDecision(request).outcome });
      },
    );
  }
  const { port, close } = await serveHttp(app, "127.0.0.1");
  onTestFinished(close);
  return `http://127.0.0.1:${port}`;
}

async function send(url: string, email: string, address: string): Promise<Response> {
  const headers = { "content-type": "application/json", "x-forwarded-for": address };
  return fetch(url, { method: "POST", headers, body: JSON.stringify({ email }) });
}

/** Returns the status of a login. */
async function logIn(url: string, email: string, address: string): Promise<number> {
  const answer = await send(`${url}/login`, email, address);
  await answer.arrayBuffer();
  return answer.status;
}

/** Returns the gate's outcome for a sign-up. */
async function signUp(url: string, email: string, address: string): Promise<unknown> {
  const answer = await send(`${url}/signup`, email, address);
  return ((await answer.json()) as { outcome?: unknown }).outcome;
}

/** Starts a service, and an application that reports to it. */
async function stage(options: Partial<ReporterOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-reporting-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const service = await createService({ dataDir, adminToken: ADMIN_TOKEN });
  onTestFinished(() => service.close());
  const { url: baseUrl, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const admin = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${adminUrl}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as T;
  };
  const made = await admin<{ application: { id: string }; key: string }>("POST", "/applications", {
    name: "Shop",
  });
  const path = `/applications/${made.application.id}`;
  const { key: reportKey } = await admin<{ key: string }>("POST", `${path}/keys`, {
    scope: "report",
  });
  const reporter = createReporter({ baseUrl, reportKey, ...NEVER_BY_ITSELF, ...options });
  onTestFinished(() => reporter.close());
  const lookup = createRiskClient({ baseUrl, apiKey: made.key, cache: false, timeoutMs: 60_000 });
  onTestFinished(() => lookup.close());
  const url = await serveApp(reporter, lookup);
  const events = async () => {
    const listed = await admin<{ events: { kind: string }[] }>("GET", `${path}/events`);
    return listed.events.map(({ kind }) => kind).toSorted();
  };
  return { url, reporter, events };
}

describe("an application that reports its logins", () => {
  it("receives one report of credential stuffing from an address, and one more when it doubles", async () => {
    const { url, reporter, events } = await stage();
    const address = "8.8.8.8";
    expect(await signUp(url, "new@shop.example", address)).toBe("allow");
    for (let n = 0; n < 25; n++) {
      expect(await logIn(url, `user-${n}@shop.example`, address)).toBe(401);
    }
    await reporter.flush();
    expect(reporter.stats()).toMatchObject({ accepted: 25, dropped: 0, queued: 0 });
    expect(await events()).toEqual(["auth_scan", "auth_scan"]);
  });

  it("receives a report of a brute force, and its gate flags the address from then on", async () => {
    const { url, reporter, events } = await stage();
    // At 10 the event names the account, and at 20 also the address.
    for (let n = 1; n <= 22; n++) await logIn(url, "ann@shop.example", "8.8.4.1");
    await reporter.flush();
    expect(await events()).toEqual(["auth_bruteforce", "auth_bruteforce"]);
    expect(await signUp(url, "eve@shop.example", "8.8.4.1")).toBe("flag");
    expect(await signUp(url, "bob@shop.example", "9.9.9.9")).toBe("allow");
  });

  it("flags no address that failed once in a brute force from many", async () => {
    const { url, reporter, events } = await stage();
    for (let n = 1; n <= 12; n++) await logIn(url, "ann@shop.example", `8.${n}.4.4`);
    await reporter.flush();
    expect(await events()).toEqual(["auth_bruteforce"]);
    expect(await signUp(url, "eve@shop.example", "8.1.4.4")).toBe("allow");
  });

  it("counts a login once if its answer was lost", async () => {
    let isLost = false;
    const lossy: typeof fetch = async (...request) => {
      const answer = await fetch(...request);
      if (isLost) return answer;
      isLost = true;
      throw new TypeError("the connection was reset");
    };
    const { url, reporter, events } = await stage({ fetch: lossy });
    for (let n = 0; n < 12; n++) await logIn(url, `user-${n}@shop.example`, "8.8.8.8");
    await reporter.flush();
    expect(reporter.stats()).toMatchObject({ accepted: 0, duplicates: 12, dropped: 0 });
    expect(await events()).toEqual(["auth_scan"]);
  });

  it("counts a repeated report once", async () => {
    const { url, reporter, events } = await stage();
    for (let round = 0; round < 2; round++) {
      reporter.event({ kind: "xss", id: "the-same", address: "8.8.8.8" });
      await reporter.flush();
    }
    expect(reporter.stats()).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await events()).toEqual(["xss"]);
    expect(await signUp(url, "eve@shop.example", "8.8.8.8")).toBe("flag");
  });
});

/** Serves until the test ends; resolves to the base URL. */
async function serveFaulty(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("an application whose service", () => {
  it.each<[string, () => Promise<string>]>([
    ["never answers", () => serveFaulty(() => {})],
    ["is down", async () => "http://127.0.0.1:1"],
    ["is full", () => serveFaulty((_, response) => void response.writeHead(503).end("{}"))],
  ])("%s answers every request, and counts what is lost", async (_, serve) => {
    const lost: number[] = [];
    const reporter = createReporter({
      baseUrl: await serve(),
      reportKey: "rgr_key",
      intervalMs: 1,
      batchSize: 10,
      maxQueued: 30,
      // Longer than the test: a request that waited for an answer would never be answered.
      timeoutMs: 600_000,
      flushTimeoutMs: 1,
      onDrop: ({ reports }) => lost.push(reports),
    });
    const url = await serveApp(reporter);
    for (let n = 0; n < 100; n++) {
      expect(await logIn(url, `user-${n}@shop.example`, "8.8.8.8")).toBe(401);
    }
    await expect.poll(() => reporter.stats().queued + reporter.stats().dropped).toBe(100);
    expect(reporter.stats().queued).toBe(30);
    await reporter.close();
    expect(reporter.stats()).toMatchObject({ accepted: 0, queued: 0, dropped: 100 });
    expect(lost.reduce((sum, reports) => sum + reports, 0)).toBe(100);
  });
});
