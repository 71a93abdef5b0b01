import { parse } from "node:querystring";
import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import {
  BAD,
  type BodyCase,
  differingReadings,
  GOOD,
  type HandledBody,
  ORDINARY_BODIES,
} from "../../../tools/test/body-table.js";
import { type LambdaEvent, riskGate } from "../src/index.js";

const context = { getRemainingTimeInMillis: () => 60_000 };
const textOf = ({ body }: LambdaEvent): string => Buffer.from(body ?? "", "base64").toString();

const READERS: Readonly<Record<string, (event: LambdaEvent) => unknown>> = {
  "JSON.parse": (event) => (JSON.parse(textOf(event)) as { email?: unknown }).email,
  "JSON.parse without the byte order mark": (event) =>
    (JSON.parse(textOf(event).replace(/^\uFEFF/, "")) as { email?: unknown }).email,
  "URLSearchParams, first": (event) => new URLSearchParams(textOf(event)).get("email"),
  "URLSearchParams, last": (event) => Object.fromEntries(new URLSearchParams(textOf(event))).email,
  "querystring.parse": (event) => parse(textOf(event)).email,
  "Response.formData": async (event) => {
    const headers = { "content-type": event.headers?.["content-type"] ?? "" };
    const form = await new Response(textOf(event), { headers }).formData();
    return form.get("email");
  },
  "a regular expression": (event) =>
    /name="?email"?[^\r\n]*\r?\n\r?\n([^\r\n]*)/.exec(textOf(event))?.[1],
};

function eventOf({ type, body }: BodyCase): LambdaEvent {
  return {
    rawPath: "/signup",
    headers: { "content-type": type },
    requestContext: { http: { method: "POST", sourceIp: "9.9.9.9" } },
    body: Buffer.from(body).toString("base64"),
    isBase64Encoded: true,
  };
}

async function send(sent: BodyCase, reader: string, isGated: boolean): Promise<HandledBody> {
  const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
  let email: unknown;
  const handle = async (event: LambdaEvent) => {
    email = await new Map(Object.entries(READERS)).get(reader)!(event);
    return { statusCode: 200 };
  };
  const handler = isGated ? riskGate({ lookup, ip: () => "9.9.9.9" }, handle) : handle;
  const answer = await handler(eventOf(sent), context).catch(() => ({ statusCode: 500 }));
  return { status: answer.statusCode, email };
}

describe("body readings on Lambda", () => {
  it("judges every email that a usual handler reads", { timeout: 180_000 }, async () => {
    const { bad, differing } = await differingReadings(Object.keys(READERS), send);
    expect(differing).toEqual([]);
    expect(bad).toBeGreaterThan(100);
  });

  it("looks up no further email for ordinary bodies", async () => {
    const lookup = createFakeLookup();
    const gate = riskGate({ lookup, ip: () => undefined }, async () => ({ statusCode: 200 }));
    for (const sent of ORDINARY_BODIES) {
      expect((await gate(eventOf(sent), context)).statusCode).toBe(200);
    }
    expect(lookup.calls.map(({ value }) => value)).toEqual(ORDINARY_BODIES.map(() => GOOD));
  });

  it.each([
    ["looks up three emails", 3, 403],
    ["flags more than three emails as unreadable", 4, 200],
  ])("%s", async (_, count, status) => {
    const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
    const others = Array.from({ length: count - 1 }, (_value, at) => `&email=a${at}@x.example`);
    const body = JSON.stringify({ email: BAD, others: `${others.join("")}&` });
    const decisions: unknown[] = [];
    const gate = riskGate({ lookup, ip: () => undefined }, async (_event, _context, decision) => {
      decisions.push(decision);
      return { statusCode: 200 };
    });
    const sent = { title: "", type: "application/json", body };
    expect((await gate(eventOf(sent), context)).statusCode).toBe(status);
    expect(lookup.calls).toHaveLength(status === 403 ? 3 : 0);
    const unreadable = { state: "failed", fault: "unreadable" };
    expect(decisions).toMatchObject(status === 200 ? [{ outcome: "flag", email: unreadable }] : []);
  });

  it("rejects for a denied email among several", async () => {
    const body = `{"email":"${GOOD}","a":"&email=b@x.example&"}`;
    const sent = { title: "", type: "application/json", body };
    const denies = riskGate(
      { lookup: createFakeLookup(), ip: () => undefined, deny: ["x.example"] },
      async () => ({ statusCode: 200 }),
    );
    expect((await denies(eventOf(sent), context)).statusCode).toBe(403);
  });

  it.each([
    ["a body that is no text", Buffer.from([0xff, 0xfe, 0x00, 0x7b]).toString("latin1"), "x/y"],
    ["broken JSON", `{"email":"${BAD}"`, "application/json"],
    ["text", "hello", "text/plain"],
  ])("flags %s as unreadable", async (_, body, type) => {
    const lookup = createFakeLookup();
    let made: unknown;
    const gate = riskGate({ lookup, ip: () => undefined }, async (_event, _context, decision) => {
      made = decision;
      return { statusCode: 200 };
    });
    await gate(eventOf({ title: "", type, body }), context);
    expect(made).toMatchObject({
      outcome: "flag",
      email: { state: "failed", fault: "unreadable" },
    });
  });
});

describe("events that are not HTTP requests", () => {
  const http = { method: "POST", sourceIp: "9.9.9.9" };
  it.each<[string, unknown]>([
    ["an empty event", {}],
    ["null", null],
    ["the test event of the console", { key1: "value1", key2: "value2", key3: "value3" }],
    ["a batch of SQS", { Records: [{ eventSource: "aws:sqs", body: "{}" }] }],
    ["an authorizer of format 1.0", { type: "TOKEN", methodArn: "arn:aws:x" }],
    [
      "a request authorizer",
      { methodArn: "arn:aws:x", httpMethod: "POST", requestContext: { identity: http } },
    ],
    ["an authorizer of format 2.0", { routeArn: "arn:aws:x", requestContext: { http } }],
    ["a WebSocket", { requestContext: { eventType: "CONNECT", connectionId: "x" } }],
  ])("refuses %s with the four forms that it takes", async (_, event) => {
    const gate = riskGate({ lookup: createFakeLookup() }, async () => ({ statusCode: 200 }));
    await expect(gate(event as LambdaEvent, context)).rejects.toMatchObject({
      name: "RiskGateError",
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/1\.0 or 2\.0.*function URL.*Load Balancer/) as string,
    });
  });
});
