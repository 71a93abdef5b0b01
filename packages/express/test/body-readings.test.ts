import { createRequire } from "node:module";
import { serveHttp } from "@riskgate/testing";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import {
  BODY_READERS,
  bodyReadings,
  readWith,
  sendToPort,
} from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

/** Parsers in front of the gate, and names of readers behind them. */
const PARSED: Readonly<Record<string, RequestHandler[]>> = {
  usual: [express.json(), express.urlencoded({ extended: true })],
  "any-type": [express.json({ type: () => true, strict: false })],
  "simple-forms": [express.urlencoded({ extended: false, type: () => true })],
};
const UNPARSED: Readonly<Record<string, RequestHandler[]>> = {
  text: [express.text({ type: () => true })],
  raw: [express.raw({ type: () => true })],
};

const qs = createRequire(createRequire(import.meta.url).resolve("express"))("qs") as {
  parse(text: string): Record<string, unknown>;
};
const READERS = { ...BODY_READERS, qs: (body: unknown) => qs.parse(String(body)).email };

const refuse: ErrorRequestHandler = (_error, _request, response, _next) =>
  void response.status(400).json({});

bodyReadings("in Express", {
  handlers: [
    ...Object.keys(PARSED).map((parser) => `${parser}/request.body`),
    ...Object.keys(UNPARSED).flatMap((parser) =>
      ["JSON.parse", "URLSearchParams", "querystring", "qs"].map((name) => `${parser}/${name}`),
    ),
  ],
  least: 350,
  async start(gate) {
    const app = express();
    const handle: RequestHandler = async ({ path, body }, response) =>
      void response.json({ email: await readWith(READERS, path, body) });
    for (const [parser, handlers] of Object.entries({ ...PARSED, ...UNPARSED })) {
      app.post(`/open/${parser}/:reader`, handlers, handle);
      app.post(`/gated/${parser}/:reader`, handlers, riskGate(gate), handle);
    }
    app.use(refuse);
    const { port, close } = await serveHttp(app, "127.0.0.1");
    return { send: sendToPort(port), close };
  },
});
