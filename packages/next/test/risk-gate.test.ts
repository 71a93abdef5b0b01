import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { riskGate } from "../src/index.js";

const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
const JSON_TEXT = '{"email":"bad@shop.example"}';

/** What becomes of a body at a gate whose handler reads it as it likes. */
async function statusOf(type: string | undefined, body: string): Promise<number> {
  const route = riskGate({ lookup, clientAddress: () => "9.9.9.9" }, () => new Response());
  const headers = type === undefined ? {} : { "content-type": type };
  const request = new Request("https://app.example/signup", {
    method: "POST",
    headers,
    body: Buffer.from(body),
  });
  return (await route(request, {})).status;
}

describe("riskGate for Next.js", () => {
  it.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "text/plain",
    "application/vnd.api+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "",
    undefined,
  ])("judges the email of JSON that is sent as %s", async (type) => {
    expect(await statusOf(type, JSON_TEXT)).toBe(403);
  });

  it("judges the email of forms", async () => {
    const form = "application/x-www-form-urlencoded";
    expect(await statusOf(form, "email=bad%40shop.example")).toBe(403);
    const fields = new FormData();
    fields.set("email", "bad@shop.example");
    const made = new Response(fields);
    const type = made.headers.get("content-type") ?? "";
    expect(await statusOf(type, await made.text())).toBe(403);
  });

  it("rejects by the worse of two emails, as JSON and as a form", async () => {
    const body = '{"email":"ada@shop.example","a":"&email=bad@shop.example&"}';
    expect(await statusOf("application/x-www-form-urlencoded", body)).toBe(403);
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
    const route = riskGate({ lookup, clientAddress: () => "9.9.9.9", maxBytes: 2_000 }, never);
    const headers = length === undefined ? {} : { "content-length": length };
    const init = { method: "POST", headers, body, duplex: "half" as const };
    const answer = await route(new Request("https://app.example/signup", init), {});
    expect(answer.status).toBe(413);
    expect(pieces).toBeLessThan(10);
  });

  it("answers 408 for a body that takes over `bodyTimeoutMs`", async () => {
    const gone: string[] = [];
    const body = new ReadableStream<Uint8Array>({
      cancel: (reason) => void gone.push(`${reason}`),
    });
    const route = riskGate({ lookup, clientAddress: () => "9.9.9.9", bodyTimeoutMs: 20 }, never);
    const init = { method: "POST", body, duplex: "half" as const };
    const answer = await route(new Request("https://app.example/signup", init), {});
    expect(answer.status).toBe(408);
    expect(gone).toHaveLength(1);
  });
});

function never(): Response {
  throw new Error("the handler ran");
}
