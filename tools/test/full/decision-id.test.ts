import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRequestGate, type RequestGateOptions } from "../../../packages/core/src/adapter.js";
import {
  createDecisionLog,
  createServiceDecisionLog,
  type DecisionLog,
} from "../../../packages/core/src/log.js";
import { traced } from "../../../packages/opentelemetry/test/support/traced.js";
import { createService } from "../../../packages/service/src/service.js";
import { createFakeLookup } from "../../../packages/testing/src/index.js";

const SECRET = "a secret of the log, 32 bytes long";
const TOKEN = "admin-token-of-the-tests";

type Args = [request: IncomingMessage, response: ServerResponse];

/** Serves a gated route, each request in a span, as an instrumented framework does. */
async function serveGated(options: RequestGateOptions<Args>) {
  const { run, spans } = traced();
  const gate = createRequestGate<Args>(options);
  const server = createServer((request, response) => {
    const guard = async (): Promise<void> => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as unknown;
      const passes = await gate.guard({
        args: [request, response],
        request,
        response,
        ip: request.socket.remoteAddress,
        body,
        route: "/signup",
        unsafeTrust: () => undefined,
        attach() {},
        addHeader: (name, value) => void response.appendHeader(name, value),
        sendReply: ({ status, headers, body: text }) =>
          void response.writeHead(status, headers).end(text),
        isAnswered: () => response.headersSent,
      });
      if (passes) response.end("passed");
    };
    void run("POST /signup", guard);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    spans,
    async signUp(email: string) {
      const answer = await fetch(`http://127.0.0.1:${port}/signup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email }),
      });
      return (await answer.json()) as { readonly status: number; readonly decisionId: string };
    },
  };
}

/** A service with an application, and calls of the API that its console makes. */
async function openService() {
  const dataDir = await mkdtemp(join(tmpdir(), "riskgate-id-"));
  const service = await createService({ dataDir, adminToken: TOKEN, dispatch: false });
  onTestFinished(async () => {
    await service.close();
    await rm(dataDir, { recursive: true });
  });
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const admin = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${adminUrl}/admin/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as T;
  };
  const { application } = await admin<{ application: { id: string } }>("/applications", {
    name: "Shop",
  });
  const { key } = await admin<{ key: string }>(`/applications/${application.id}/keys`, {
    scope: "report",
  });
  return { url, admin, reportKey: key };
}

describe("the id in the body of a 403", () => {
  it("leads to its line in the log, its page in the console and its span", async () => {
    const { url, admin, reportKey } = await openService();
    const folder = await mkdtemp(join(tmpdir(), "riskgate-log-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "decisions.jsonl");
    const file = createDecisionLog({ path, secret: SECRET });
    const sent = createServiceDecisionLog({ baseUrl: url, reportKey, secret: SECRET });
    const log: DecisionLog = {
      record(made) {
        file.record(made);
        sent.record(made);
      },
    };
    const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
    const app = await serveGated({ lookup, log, budgetMs: 60_000 });
    for (let n = 0; n < 3; n++) await app.signUp("bad@shop.example");
    const { status, decisionId } = await app.signUp("bad@shop.example");
    expect(status).toBe(403);
    await file.close();
    await sent.close();

    const lines = (await readFile(path, "utf8")).trim().split("\n");
    expect(lines).toHaveLength(4);
    const found = lines.filter((line) => line.includes(decisionId));
    expect(found.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: decisionId, outcome: "reject", score: 95 },
    ]);
    expect(await admin(`/decisions?id=${decisionId}`)).toMatchObject({
      decisions: [{ id: decisionId, record: { id: decisionId, outcome: "reject", score: 95 } }],
      nextBeforeSeq: null,
    });
    expect(await admin(`/search?q=${decisionId.slice(0, 13)}`)).toEqual({
      found: [{ type: "decision", id: decisionId, about: "reject" }],
    });
    const spans = app
      .spans()
      .filter(({ attributes }) => attributes["riskgate.decision_id"] === decisionId);
    expect(spans).toMatchObject([
      { name: "POST /signup", attributes: { "riskgate.outcome": "reject" } },
    ]);
  });
});
