import { type Context, Hono } from "hono";
import { bodyReadings, readWith, REQUEST_READERS } from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

const READERS: Readonly<Record<string, (request: Context["req"]) => Promise<unknown>>> = {
  ...(REQUEST_READERS as Record<string, (request: Context["req"]) => Promise<unknown>>),
  parseBody: async (request) => (await request.parseBody()).email,
  "parseBody-all": async (request) => {
    const body = await request.parseBody({ all: true, dot: true });
    return body.email ?? body["email[]"];
  },
};

bodyReadings("in Hono", {
  handlers: Object.keys(READERS),
  least: 110,
  async start(gate) {
    const app = new Hono();
    app.use("/gated/*", riskGate(gate));
    app.post("*", async (context) =>
      context.json({ email: await readWith(READERS, context.req.path, context.req) }),
    );
    return {
      async send({ type, body }, handler, isGated) {
        const headers = { "content-type": type };
        const init = { method: "POST", headers, body: Buffer.from(body) };
        const answer = await app.request(`/${isGated ? "gated" : "open"}/${handler}`, init);
        const { email } = (await answer.json()) as { email?: unknown };
        return { status: answer.status, email };
      },
    };
  },
});
