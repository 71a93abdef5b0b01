import { bodyParser } from "@koa/bodyparser";
import { createFakeLookup, serveHttp } from "@riskgate/testing";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import {
  BAD,
  type BodyCase,
  differingReadings,
  type HandledBody,
} from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

const READERS: Readonly<Record<string, (body: unknown) => unknown>> = {
  "request.body": (body) => (body as { email?: unknown } | undefined)?.email,
  "JSON.parse": (body) => (JSON.parse(String(body)) as { email?: unknown }).email,
  URLSearchParams: (body) => new URLSearchParams(String(body)).get("email"),
};

describe("body readings in Koa", () => {
  it("judges every email that a usual handler reads", { timeout: 180_000 }, async () => {
    const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
    const app = new Koa();
    app.silent = true;
    app.use(bodyParser({ enableTypes: ["json", "form", "text"], extendTypes: { text: ["*/*"] } }));
    const gate = riskGate({ lookup, ip: () => "9.9.9.9" });
    app.use((context, next) => (context.query.gated === "1" ? gate(context, next) : next()));
    app.use((context) => {
      let email: unknown;
      try {
        email = new Map(Object.entries(READERS)).get(String(context.query.reader))!(
          (context.request as { body?: unknown }).body,
        );
      } catch {
        // This handler cannot read the body.
      }
      context.body = { email };
    });
    const served = await serveHttp(app.callback(), "127.0.0.1");
    const send = async (
      { type, body }: BodyCase,
      reader: string,
      isGated: boolean,
    ): Promise<HandledBody> => {
      const query = new URLSearchParams({ reader, gated: isGated ? "1" : "0" });
      const init = { method: "POST", headers: { "content-type": type }, body: Buffer.from(body) };
      const answer = await fetch(`http://127.0.0.1:${served.port}/?${query}`, init);
      const text = await answer.text();
      const { email } = (text.startsWith("{") ? JSON.parse(text) : {}) as { email?: unknown };
      return { status: answer.status, email };
    };
    const { bad, differing } = await differingReadings(Object.keys(READERS), send);
    await served.close();
    expect(differing).toEqual([]);
    expect(bad).toBeGreaterThan(20);
  });
});
