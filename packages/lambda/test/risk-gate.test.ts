import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { riskGate, type RiskGateOptions } from "../src/index.js";

const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
const context = { getRemainingTimeInMillis: () => 60_000 };
const JSON_TEXT = '{"email":"bad@shop.example"}';
const PASSED = { statusCode: 201 };

const handler = riskGate({ lookup, ip: () => "9.9.9.9" }, async () => PASSED);

/** What becomes of a body at a gate whose handler reads the event as it likes. */
async function statusOf(method: string, type: string, body: Buffer): Promise<number> {
  const event = {
    version: "2.0",
    rawPath: "/signup",
    headers: { "content-type": type },
    requestContext: { http: { method, path: "/signup", sourceIp: "9.9.9.9" } },
    body: body.toString("base64"),
    isBase64Encoded: true,
  };
  return (await handler(event, context)).statusCode;
}

describe("riskGate for Lambda", () => {
  it.each(["POST", "post", "GET", "HEAD", "OPTIONS", "DELETE", "TRACE"])(
    "judges the body of the method %j",
    async (method) => {
      expect(await statusOf(method, "application/json", Buffer.from(JSON_TEXT))).toBe(403);
    },
  );

  it.each(["application/json", "text/plain", "", "multipart/form-data"])(
    "judges JSON with a byte order mark, sent as %j",
    async (type) => {
      expect(await statusOf("POST", type, Buffer.from(`\uFEFF${JSON_TEXT}`))).toBe(403);
    },
  );

  it.each(["text/plain", "", "application/json"])(
    "judges a form that is sent as %j",
    async (type) => {
      const body = Buffer.from("email=bad%40shop.example");
      expect(await statusOf("POST", type, body)).toBe(403);
    },
  );

  it("does not mind a header that no request can have", async () => {
    const requestContext = { http: { method: "POST", path: "/", sourceIp: "9.9.9.9" } };
    const headers = { "x-name": "\u540d", "not a name": "x", cookie: "a=b" };
    const answer = await handler({ rawPath: "/", headers, requestContext }, context);
    expect(answer.statusCode).toBe(201);
  });

  it("judges the fields of multipart forms", async () => {
    const fields = new FormData();
    fields.set("email", "bad@shop.example");
    const form = new Response(fields);
    const body = Buffer.from(await form.arrayBuffer());
    expect(await statusOf("POST", form.headers.get("content-type")!, body)).toBe(403);
  });

  it("adds the headers of steps in the form that the sender of the event reads", async () => {
    const steps: RiskGateOptions["steps"] = [
      {
        name: "marking",
        weigh(context) {
          context.addHeader("x-step", "seen");
          context.addHeader("set-cookie", "device=1");
        },
      },
    ];
    const given = { ...PASSED, headers: { "x-step": "own" }, multiValueHeaders: { a: ["b"] } };
    const marked = riskGate({ lookup, ip: () => "9.9.9.9", steps }, async () => given);
    const http = { http: { method: "POST", path: "/", sourceIp: "9.9.9.9" } };
    expect(await marked({ rawPath: "/", headers: {}, requestContext: http }, context)).toEqual({
      ...given,
      cookies: ["device=1"],
    });
    const balancer = { httpMethod: "POST", path: "/", requestContext: { elb: {} } };
    expect(await marked({ ...balancer, multiValueHeaders: {} }, context)).toEqual({
      ...given,
      multiValueHeaders: { a: ["b"], "x-step": ["seen"], "set-cookie": ["device=1"] },
    });
    const text = riskGate({ lookup, ip: () => "9.9.9.9", steps }, async () => "created");
    expect(await text({ rawPath: "/", headers: {}, requestContext: http }, context)).toBe(
      "created",
    );
  });
});
