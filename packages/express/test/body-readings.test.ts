import { createRequire } from "node:module";
import { createFakeLookup, serveHttp } from "@riskgate/testing";
import express, { type RequestHandler } from "express";
import { describe, expect, it } from "vitest";
import {
  BAD,
  type BodyCase,
  differingReadings,
  type HandledBody,
} from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

/** Parsers in front of the gate. */
const PARSERS: Readonly<Record<string, RequestHandler[]>> = {
  usual: [express.json(), express.urlencoded({ extended: true })],
  "for any type": [express.json({ type: () => true, strict: false })],
  "simple forms": [express.urlencoded({ extended: false, type: () => true })],
  text: [express.text({ type: () => true })],
  raw: [express.raw({ type: () => true })],
};

const qs = createRequire(createRequire(import.meta.url).resolve("express"))("qs") as {
  parse(text: string): Record<string, unknown>;
};

const READERS: Readonly<Record<string, (body: unknown) => unknown>> = {
  "request.body": (body) => (body as { email?: unknown } | undefined)?.email,
  "JSON.parse": (body) => (JSON.parse(String(body)) as { email?: unknown }).email,
  URLSearchParams: (body) => new URLSearchParams(String(body)).get("email"),
  qs: (body) => qs.parse(String(body)).email,
};

describe("body readings in Express", () => {
  it("judges every email that a usual handler reads", { timeout: 180_000 }, async () => {
    const app = express();
    const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
    for (const [parser, handlers] of Object.entries(PARSERS)) {
      for (const [reader, read] of Object.entries(READERS)) {
        const handle: RequestHandler = ({ body }, response) => {
          let email: unknown;
          try {
            email = read(body);
          } catch {
            // This handler cannot read the body.
          }
          response.json({ email });
        };
        const path = encodeURIComponent(`${parser}: ${reader}`);
        app.post(`/open/${path}`, handlers, handle);
        app.post(`/gated/${path}`, handlers, riskGate({ lookup, ip: () => "9.9.9.9" }), handle);
      }
    }
    app.use(((_error, _request, response, _next) => {
      response.status(400).json({});
    }) as express.ErrorRequestHandler);
    const served = await serveHttp(app, "127.0.0.1");
    const send = async (
      { type, body }: BodyCase,
      handler: string,
      isGated: boolean,
    ): Promise<HandledBody> => {
      const path = `${isGated ? "gated" : "open"}/${encodeURIComponent(handler)}`;
      const init = { method: "POST", headers: { "content-type": type }, body: Buffer.from(body) };
      const answer = await fetch(`http://127.0.0.1:${served.port}/${path}`, init);
      const { email } = (await answer.json()) as { email?: unknown };
      return { status: answer.status, email };
    };
    const handlers = Object.keys(PARSERS).flatMap((parser) =>
      Object.keys(READERS)
        .filter((reader) => (reader === "request.body") !== (parser === "text" || parser === "raw"))
        .map((reader) => `${parser}: ${reader}`),
    );
    const { bad, differing } = await differingReadings(handlers, send);
    await served.close();
    expect(differing).toEqual([]);
    expect(bad).toBeGreaterThan(100);
  });
});
