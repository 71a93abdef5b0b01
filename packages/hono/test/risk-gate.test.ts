import { createFakeLookup } from "@riskgate/testing";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { riskGate } from "../src/index.js";

const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });

describe("riskGate for Hono", () => {
  it.each(["application/json", "text/plain", "application/vnd.api+json", "x/y", ""])(
    "judges the email of JSON that is sent as %j, which the handler can read",
    async (type) => {
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
    },
  );

  it.each(["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "lets no handler read JSON that is sent as %s",
    async (type) => {
      const app = new Hono();
      let read: unknown;
      app.post("/signup", riskGate({ lookup, clientAddress: () => "9.9.9.9" }), async (context) => {
        read = await context.req.json().catch(() => "nothing");
        return context.body(null, 201);
      });
      await app.request("/signup", {
        method: "POST",
        headers: { "content-type": type },
        body: Buffer.from('{"email":"bad@shop.example"}'),
      });
      expect(read).toBe("nothing");
    },
  );
});
