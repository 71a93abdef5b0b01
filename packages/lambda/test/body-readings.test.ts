import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import {
  BAD,
  BODY_READERS,
  type BodyCase,
  bodyReadings,
  GOOD,
  readWith,
  REQUEST_READERS,
} from "../../../tools/test/body-table.js";
import { type LambdaEvent, riskGate } from "../src/index.js";

const context = { getRemainingTimeInMillis: () => 60_000 };
const textOf = ({ body }: LambdaEvent): string => Buffer.from(body ?? "", "base64").toString();

const READERS: Readonly<Record<string, (event: LambdaEvent) => unknown>> = {
  ...Object.fromEntries(
    Object.entries(BODY_READERS).map(([name, read]) => [
      name,
      (event: LambdaEvent) => read(textOf(event)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(REQUEST_READERS).map(([name, read]) => [
      name,
      (event: LambdaEvent) => {
        const headers = { "content-type": event.headers?.["content-type"] ?? "" };
        return read(new Response(textOf(event), { headers }));
      },
    ]),
  ),
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

bodyReadings("on Lambda", {
  handlers: Object.keys(READERS).filter((name) => name !== "request.body"),
  least: 220,
  async start(gate) {
    return {
      async send(sent, reader, isGated) {
        let email: unknown;
        const handle = async (event: LambdaEvent) => {
          email = await readWith(READERS, reader, event);
          return { statusCode: 200 };
        };
        const handler = isGated ? riskGate(gate, handle) : handle;
        const { statusCode } = await handler(eventOf(sent), context);
        return { status: statusCode, email };
      },
    };
  },
});

describe("bodies on Lambda", () => {
  const others = (count: number): string =>
    Array.from({ length: count }, (_, at) => `&email=a${at}@x.example`).join("");

  it.each([
    ["rejects for one of three emails", BAD, 2, 403],
    ["rejects for the first of four emails", BAD, 3, 403],
    ["rejects for the first of ten emails", BAD, 9, 403],
    ["flags more than three emails as unreadable", GOOD, 3, 200],
  ])("%s", async (_, email, count, status) => {
    const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
    const decisions: unknown[] = [];
    const gate = riskGate({ lookup, ip: () => undefined }, async (_event, _context, decision) => {
      decisions.push(decision);
      return { statusCode: 200 };
    });
    const body = JSON.stringify({ others: `${others(count)}&`, email });
    const sent = { title: "", type: "application/json", body };
    expect((await gate(eventOf(sent), context)).statusCode).toBe(status);
    expect(lookup.calls).toHaveLength(3);
    const unreadable = { state: "failed", fault: "unreadable" };
    expect(decisions).toMatchObject(status === 200 ? [{ outcome: "flag", email: unreadable }] : []);
  });

  it.each([
    ["JSON with many emails", `{"email":"${BAD}","a":"${others(3)}&"}`, "application/json"],
    ["text behind an email", `{"email":"${GOOD}","a":"&email=${BAD} (hi)&"}`, "application/json"],
    [
      "a line that looks like a boundary",
      `--x\r\nContent-Disposition: form-data; name="email"\r\n\r\n${GOOD}\n-- <${BAD}>\r\n--x--\r\n`,
      "multipart/form-data; boundary=x",
    ],
  ])("rejects a denied email in %s", async (_, body, type) => {
    const lookup = createFakeLookup();
    const options = { lookup, ip: () => undefined, deny: [BAD] };
    const denies = riskGate(options, async () => ({ statusCode: 200 }));
    expect((await denies(eventOf({ title: "", type, body }), context)).statusCode).toBe(403);
  });

  it("lets no allowed email speak for another one, whatever its score", async () => {
    const lookup = createFakeLookup({ [GOOD]: { risk_score: 95 }, [BAD]: { risk_score: 90 } });
    const body = `{"email":"${BAD}","a":"&email=${GOOD}&"}`;
    const options = { lookup, ip: () => undefined, allow: [GOOD] };
    const allows = riskGate(options, async () => ({ statusCode: 200 }));
    const sent = { title: "", type: "application/json", body };
    expect((await allows(eventOf(sent), context)).statusCode).toBe(403);
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
