import { createFakeLookup } from "@riskgate/testing";
import { type Context, Hono, type Next } from "hono";
import { describe, expect, it } from "vitest";
import { riskGate, type RiskGateOptions } from "../src/index.js";

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

  it.each([
    ["with its length", "3000"],
    ["without its length", undefined],
  ])("answers 413 for a body over `maxBytes` %s, and reads no more of it", async (_, length) => {
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        if (++pieces > 100) stream.close();
        else stream.enqueue(new Uint8Array(1_000));
      },
    });
    const headers = length === undefined ? {} : { "content-length": length };
    const answer = await guarded({ maxBytes: 2_000 }).request("/signup", {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(pieces).toBeLessThan(10);
  });

  it.each<[string, (context: Context) => Promise<unknown>]>([
    ["text", async ({ req }) => req.text()],
    ["JSON", async ({ req }) => req.json()],
    ["bytes", async ({ req }) => req.arrayBuffer()],
  ])("answers 413 for a body over `maxBytes` that was read as %s in front", async (_, read) => {
    const send = async (maxBytes: number) => {
      const app = new Hono();
      app.use(async (context, next) => {
        await read(context);
        await next();
      });
      const gate = riskGate({ lookup, clientAddress: () => "9.9.9.9", maxBytes });
      app.post("/signup", gate, (context) => context.body(null, 201));
      const body = JSON.stringify({ email: "ada@shop.example", note: "x".repeat(2_000) });
      return (await app.request("/signup", { method: "POST", body })).status;
    };
    expect([await send(2_000), await send(3_000)]).toEqual([413, 201]);
  });

  it("answers 413 for a body over 5 MiB by default, read in front or not", async () => {
    const app = new Hono();
    app.use("/read/*", async (context, next) => {
      await context.req.text();
      await next();
    });
    const gate = riskGate({ lookup, clientAddress: () => "9.9.9.9" });
    app.post("*", gate, (context) => context.body(null, 201));
    const email = "ada@shop.example";
    for (const path of ["/signup", "/read/signup"]) {
      for (const [size, status] of [
        [1_000, 201],
        [5 * 1024 * 1024, 413],
      ] as const) {
        const body = JSON.stringify({ email, note: "x".repeat(size) });
        const answer = await app.request(path, { method: "POST", body });
        expect([path, size, answer.status]).toEqual([path, size, status]);
      }
    }
  });

  it("answers 408 for a body that takes over `bodyTimeoutMs`", async () => {
    const gone: string[] = [];
    const body = new ReadableStream<Uint8Array>({
      cancel: (reason) => void gone.push(`${reason}`),
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    const answer = await guarded({ bodyTimeoutMs: 20 }).request("/signup", init);
    expect(answer.status).toBe(408);
    expect(gone).toHaveLength(1);
  });

  it("answers 503 if all bodies together take more than `maxTotalBytes`", async () => {
    const app = guarded({ maxBytes: 2_000, maxTotalBytes: 3_000 });
    const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
    const send = async () =>
      app.request("/signup", {
        method: "POST",
        body: new ReadableStream<Uint8Array>({
          start(stream) {
            stream.enqueue(new Uint8Array(1_800));
            streams.push(stream);
          },
        }),
        duplex: "half",
      } as RequestInit);
    const answers = [send(), send()];
    const first = await Promise.race(answers);
    expect(first.status).toBe(503);
    for (const stream of streams) stream.error(new Error("gone"));
    await Promise.all(answers);
  });
});

function guarded(limits: Partial<RiskGateOptions>): Hono {
  const app = new Hono();
  const gate = riskGate({ lookup, clientAddress: () => "9.9.9.9", ...limits });
  return app.post("/signup", gate, () => {
    throw new Error("the handler ran");
  });
}
