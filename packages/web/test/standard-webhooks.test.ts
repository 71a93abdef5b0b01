import { describe, expect, it } from "vitest";
import { signDelivery } from "@riskgate/testing";
import { webhookRoute } from "../src/webhook-route.js";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const MESSAGE = { type: "user.created", data: { email: "ada@shop.example" } };

function posted(message: unknown, prefix = "webhook-", changes: Record<string, string> = {}) {
  const { headers, body } = signDelivery(JSON.stringify(message), SECRET, { id: "msg_1" });
  const { "x-service-integrity": _, ...standard } = headers;
  const renamed = Object.entries({ ...standard, ...changes }).map(
    ([name, value]) => [name.replace("webhook-", prefix), value] as const,
  );
  return new Request("https://app.example/hooks", {
    method: "POST",
    headers: Object.fromEntries(renamed),
    body: new Uint8Array(body),
  });
}

describe("webhookRoute with the scheme standard", () => {
  it.each(["webhook-", "svix-"])("handles a message with the headers %s*", async (prefix) => {
    const messages: unknown[] = [];
    const on = { message: (message: unknown) => messages.push(message) };
    const receive = webhookRoute({ scheme: "standard", secrets: SECRET, on });
    expect((await receive(posted(MESSAGE, prefix))).status).toBe(204);
    expect((await receive(posted(MESSAGE, prefix))).status).toBe(204);
    expect(messages).toEqual([MESSAGE]);
  });

  it("refuses wrong and missing headers, and does not call the handler", async () => {
    const on = {
      message() {
        throw new Error("called");
      },
    };
    const receive = webhookRoute({ scheme: "standard", secrets: SECRET, on });
    const changes = [
      { "webhook-id": "msg_2" },
      { "webhook-timestamp": String(Math.floor(Date.now() / 1000) + 1) },
      { "webhook-signature": "v1,AAAA" },
    ];
    for (const change of changes) {
      const response = await receive(posted(MESSAGE, "webhook-", change));
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: "SIGNATURE_INVALID" });
    }
    expect((await receive(posted(MESSAGE, "other-"))).status).toBe(401);
  });

  it("answers 401 TIMESTAMP_INVALID to an old delivery", async () => {
    const on = { message() {} };
    const receive = webhookRoute({ scheme: "standard", secrets: SECRET, on });
    const { headers, body } = signDelivery("{}", SECRET, { id: "m", date: new Date(0) });
    const request = new Request("https://app.example/", {
      method: "POST",
      headers: { ...headers },
      body: new Uint8Array(body),
    });
    const response = await receive(request);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "TIMESTAMP_INVALID" });
  });
});
