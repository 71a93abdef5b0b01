import { createReceiver, createReporter, createRiskClient, sign } from "@riskgate/core";
import { serveHttp } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../src/index.js";
import { temporaryDirectory } from "./support/temporary-storage.js";

const TOKEN = "administration-token-1";

/** Reports events to a service, and returns the state of each. */
async function statesOf(events: readonly object[]): Promise<string[]> {
  const service = await createService({ dataDir: await temporaryDirectory(), adminToken: TOKEN });
  onTestFinished(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const post = async (target: string, headers: object, body: unknown) => {
    const answer = await fetch(target, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.ok, target).toBe(true);
    return answer.json();
  };
  const admin = { authorization: `Bearer ${TOKEN}` };
  const { application } = (await post(`${adminUrl}/admin/v1/applications`, admin, {
    name: "Shop",
  })) as { application: { id: string } };
  const keys = `${adminUrl}/admin/v1/applications/${application.id}/keys`;
  const { key } = (await post(keys, admin, { scope: "report" })) as { key: string };
  const report = (await post(`${url}/v1/reports/events`, { "x-api-key": key }, events)) as {
    elements: readonly { state: string }[];
  };
  return report.elements.map(({ state }) => state);
}

// docs/upgrading.md: upgrade the service first.
describe("an older application with a newer service", () => {
  it("decides by assessments with members that it does not know", async () => {
    const { port, close } = await serveHttp((_request, response) => {
      const body = { risk_score: 90, is_new: true, newer: { nested: [1] } };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
    onTestFinished(close);
    const client = createRiskClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" });
    onTestFinished(() => client.close());
    expect((await client.lookupIp("8.8.8.8")).risk_score).toBe(90);
  });

  it("accepts results of reports with members that it does not know", async () => {
    const { port, close } = await serveHttp((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end('{"accepted":1,"duplicates":0,"refused":0,"elements":[],"newer":true}');
    });
    onTestFinished(close);
    const dropped: string[] = [];
    const reporter = createReporter({
      baseUrl: `http://127.0.0.1:${port}`,
      reportKey: "key",
      onDrop: ({ error }) => dropped.push(error.code),
    });
    reporter.event({ kind: "xss", address: "8.8.8.8" });
    await reporter.close();
    expect([reporter.stats().accepted, dropped]).toEqual([1, []]);
  });

  it("passes payloads of a new type to `unknown`, and handles the others", async () => {
    const handled: string[] = [];
    const receiver = createReceiver({
      secrets: "secret",
      on: {
        test: () => void handled.push("test"),
        unknown: (_payload, { reason }) => void handled.push(`unknown: ${reason}`),
      },
    });
    const newer = { service_payload_type: "device_seen", id: "1" };
    const known = { service_payload_type: "test", id: "2" };
    const body = Buffer.from(JSON.stringify([newer, known]));
    const receipt = await receiver.receive({ body, signature: sign(body, "secret") });
    expect(receipt.status).toBe(204);
    expect(handled).toEqual(["unknown: unknown_type", "test"]);
  });
});

describe("a newer application with an older service", () => {
  it("gets only its reports with new members refused", async () => {
    const event = { event_kind: "xss", ips: ["8.8.8.8"] };
    expect(await statesOf([event, { ...event, newer: 1 }, event])).toEqual([
      "accepted",
      "refused",
      "accepted",
    ]);
  });
});
