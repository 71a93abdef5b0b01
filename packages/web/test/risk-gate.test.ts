import { createFakeLookup } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { createVelocity, readAnyBody, riskGate } from "../src/index.js";

const request = () =>
  new Request("https://app.example/signup", {
    method: "POST",
    headers: { "x-forwarded-for": "9.9.9.9", "x-real-ip": "9.9.9.9" },
  });
const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });

describe("riskGate on Web standards", () => {
  it("flags a request whose address nobody names, and believes no header", async () => {
    const passed = await riskGate({ lookup })(request());
    expect(passed).toMatchObject({ outcome: "flag", ip: { state: "skipped", why: "unusable" } });
    const refused = await riskGate({ lookup, whenUnavailable: "reject" })(request());
    expect(refused).toMatchObject({ status: 503 });
  });

  it("takes the address from where it is told, and walks on from there", async () => {
    const guard = riskGate({
      lookup,
      clientAddress: ({ headers }) => headers.get("cf-connecting-ip"),
      trustedProxies: ["8.8.8.8"],
    });
    const sent = request();
    sent.headers.set("cf-connecting-ip", "8.8.8.8");
    await guard(sent, { remoteAddress: "1.1.1.1" });
    expect(lookup.calls.at(-1)).toMatchObject({ value: "9.9.9.9" });
  });

  it("reports a `clientAddress` that throws, and judges no address", async () => {
    const codes: string[] = [];
    const guard = riskGate({
      lookup,
      clientAddress() {
        throw new Error("told to fail");
      },
      onError: ({ code }) => void codes.push(code),
    });
    expect(await guard(request(), { remoteAddress: "8.8.8.8" })).toMatchObject({ outcome: "flag" });
    expect(codes).toEqual(["HOOK_FAILED"]);
  });

  it("answers as `onReject` does, and by itself where that gives no Response", async () => {
    const body = { email: "bad@shop.example" };
    const info = { remoteAddress: "8.8.8.8", body };
    const own = riskGate({ lookup, onReject: () => new Response("no", { status: 418 }) });
    expect(await own(request(), info)).toMatchObject({ status: 418 });
    const none = riskGate({ lookup, onReject: () => undefined as never, onError() {} });
    expect(await none(request(), info)).toMatchObject({ status: 403 });
  });

  it.each([2, 3, 4, 9])("adds the velocity points of every email among %d in a body", async (n) => {
    const velocity = createVelocity({
      limits: { mailbox: { from: 1, to: 2, weight: 50 }, domain: false },
    });
    for (let sent = 0; sent < 3; sent++) {
      void velocity.count({ email: "eve@shop.example", ip: `9.9.${sent}.9` });
    }
    const risky = createFakeLookup({ "8.8.8.8": { risk_score: 35 } });
    const others = Array.from({ length: n - 1 }, (_, at) => `&email=p${at}@x${at}.example`);
    const text = `{"email":"eve@shop.example","a":"${others.join("")}&"}`;
    const sent = new Request("https://app.example/signup", { method: "POST" });
    const guard = riskGate({ lookup: risky, velocity });
    const decision = await guard(sent, { remoteAddress: "8.8.8.8", body: readAnyBody(text, sent) });
    // Points of a mailbox, which others can fill, never exceed `rejectAbove`.
    expect(decision).toMatchObject({ outcome: "flag", score: 80 });
    expect(decision).toMatchObject({
      velocity: { sharedAdds: 50, signals: [{ name: "mailbox" }] },
    });
  });

  it.each([
    ["JSON", JSON.stringify({ email: `${"x".repeat(1_100)} <bad@shop.example>` })],
    ["a form", `email=${"x".repeat(1_100)}+<bad@shop.example>`],
  ])("refuses an email that is too long to be read: %s", async (_, text) => {
    const sent = request();
    for (const body of [readAnyBody(text, sent), { email: "x".repeat(1_100) }]) {
      const answer = await riskGate({ lookup })(sent, { remoteAddress: "8.8.8.8", body });
      expect(answer).toMatchObject({ status: 400 });
    }
  });

  it("refuses an option that does not exist", () => {
    // @ts-expect-error -- Misspelled.
    expect(() => riskGate({ lookup, clientAdress: () => "8.8.8.8" })).toThrow("clientAddress");
  });
});
