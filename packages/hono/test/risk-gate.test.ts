import { createFakeLookup } from "@riskgate/testing";
import { type Context, Hono, type Next } from "hono";
import { describe, expect, it } from "vitest";
import { riskGate } from "../src/index.js";

const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });

describe("riskGate for Hono", () => {
  it.each([
    "application/json",
    "text/plain",
    "application/vnd.api+json",
    "x/y",
    "",
    "multipart/form-data; boundary=x",
  ])("judges the email of JSON that is sent as %j, which the handler can read", async (type) => {
    const app = new Hono();
    app.post("/signup", riskGate({ lookup, clientAddress: () => "9.9.9.9" }), async (context) =>
      context.json(await context.req.json()),
    );
    const send = (email: string) =>
      app.request("/signup", {
        method: "POST",
        headers: { "content-type": type },
        body: Buffer.from(JSON.stringify({ email })),
      });
    expect((await send("bad@shop.example")).status).toBe(403);
    const passed = await send("ada@shop.example");
    expect(passed.status).toBe(200);
    expect(await passed.json()).toEqual({ email: "ada@shop.example" });
  });

  it("judges a body that a validator has read", async () => {
    const app = new Hono();
    const read = async (context: Context, next: Next): Promise<void> => {
      await context.req.parseBody();
      await next();
    };
    app.post("/signup", read, riskGate({ lookup, clientAddress: () => "9.9.9.9" }), (context) =>
      context.body(null, 201),
    );
    const send = async (body: FormData | URLSearchParams) =>
      (await app.request("/signup", { method: "POST", body })).status;
    const form = new FormData();
    form.set("email", "bad@shop.example");
    expect(await send(form)).toBe(403);
    expect(await send(new URLSearchParams({ email: "bad@shop.example" }))).toBe(403);
    expect(await send(new URLSearchParams({ email: "ada@shop.example" }))).toBe(201);
  });
});
