import { createFakeLookup } from "@riskgate/testing";
import { type Context, Hono } from "hono";
import { describe, expect, it } from "vitest";
import {
  BAD,
  type BodyCase,
  differingReadings,
  type HandledBody,
} from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

const READERS: Readonly<Record<string, (context: Context) => Promise<unknown>>> = {
  "req.json": async ({ req }) => (await req.json<{ email?: unknown }>()).email,
  "req.parseBody": async ({ req }) => (await req.parseBody()).email,
  "req.parseBody, all": async ({ req }) => {
    const body = await req.parseBody({ all: true, dot: true });
    return body.email ?? body["email[]"];
  },
  "req.formData": async ({ req }) => (await req.formData()).get("email"),
  URLSearchParams: async ({ req }) => new URLSearchParams(await req.text()).get("email"),
};

async function send(
  { type, body }: BodyCase,
  reader: string,
  isGated: boolean,
): Promise<HandledBody> {
  const lookup = createFakeLookup({ [BAD]: { risk_score: 95 } });
  let email: unknown;
  const app = new Hono();
  if (isGated) app.use(riskGate({ lookup, ip: () => "9.9.9.9" }));
  app.post("/signup", async (context) => {
    email = await new Map(Object.entries(READERS)).get(reader)!(context).catch(() => undefined);
    return context.body(null, 200);
  });
  const headers = { "content-type": type };
  const init = { method: "POST", headers, body: Buffer.from(body) };
  return { status: (await app.request("/signup", init)).status, email };
}

describe("body readings in Hono", () => {
  it("judges every email that a usual handler reads", { timeout: 180_000 }, async () => {
    const { bad, differing } = await differingReadings(Object.keys(READERS), send);
    expect(differing).toEqual([]);
    expect(bad).toBeGreaterThan(60);
  });
});
