import formbody from "@fastify/formbody";
import { createFakeLookup } from "@riskgate/testing";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import {
  BAD,
  type BodyCase,
  differingReadings,
  type HandledBody,
} from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

const READERS: Readonly<Record<string, (body: unknown) => unknown>> = {
  "request.body": (body) => (body as { email?: unknown } | null)?.email,
  "JSON.parse": (body) => (JSON.parse(String(body)) as { email?: unknown }).email,
  URLSearchParams: (body) => new URLSearchParams(String(body)).get("email"),
};

/** Parsers of an application: the usual ones, and one that leaves text or bytes to the handler. */
const PARSERS = ["usual", "string", "buffer"] as const;

async function send(
  { type, body }: BodyCase,
  handler: string,
  isGated: boolean,
): Promise<HandledBody> {
  const [parser, reader = ""] = handler.split(": ");
  const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
  let email: unknown;
  await using app = fastify();
  if (parser === "usual") await app.register(formbody);
  else {
    app.removeAllContentTypeParsers();
    const parseAs = parser as "string" | "buffer";
    app.addContentTypeParser("*", { parseAs }, (_request, text, done) => done(null, text));
  }
  await app.register(riskGate, { lookup, ip: () => "9.9.9.9" });
  app.post("/signup", { config: { riskGate: isGated } }, (request, reply) => {
    email = new Map(Object.entries(READERS)).get(reader)!(request.body);
    return reply.send({});
  });
  const headers = { "content-type": type };
  const answer = await app.inject({
    method: "POST",
    url: "/signup",
    headers,
    payload: Buffer.from(body),
  });
  return { status: answer.statusCode, email };
}

describe("body readings in Fastify", () => {
  it("judges every email that a usual handler reads", { timeout: 180_000 }, async () => {
    const handlers = PARSERS.flatMap((parser) =>
      Object.keys(READERS)
        .filter((reader) => (reader === "request.body") === (parser === "usual"))
        .map((reader) => `${parser}: ${reader}`),
    );
    const { bad, differing } = await differingReadings(handlers, send);
    expect(differing).toEqual([]);
    expect(bad).toBeGreaterThan(60);
  });
});
