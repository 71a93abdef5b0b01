import type { IncomingMessage } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSetUpWarnings } from "../../src/decision/set-up-warnings.js";
import { collectWarnings } from "../support/warnings.js";

/** A request from an address, perhaps through a proxy. */
const from = (remoteAddress: string, forwardedFor?: string): IncomingMessage =>
  ({
    headers: forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

// Each warning is given once for a process: so one test for each code, and what is silent first.
describe("createSetUpWarnings", () => {
  it.each<[string, (n: number) => string]>([
    ["999 requests from one private address", (n) => (n < 999 ? "10.0.0.1" : "10.0.0.2")],
    ["a second address at the start", (n) => (n === 1 ? "10.0.0.2" : "10.0.0.1")],
    ["one public address", () => "8.8.8.8"],
  ])("is silent about %s", async (_, addressOf) => {
    const warnings = collectWarnings();
    const watch = createSetUpWarnings("Set `email`");
    for (let n = 0; n < 3000; n++) watch.address(addressOf(n), from(addressOf(n)));
    expect(await warnings()).toEqual([]);
  });

  it.each([
    ["a proxy whose header is read", "8.8.8.8", from("10.0.0.1", "8.8.8.8")],
    ["a client of a private network behind a proxy", "10.0.0.9", from("10.0.0.1", "10.0.0.9")],
    ["a public address that sends the header itself", "8.8.8.8", from("8.8.8.8", "9.9.9.9")],
    ["a private address without the header", "10.0.0.1", from("10.0.0.1")],
  ])("is silent about %s", async (_, ip, request) => {
    const warnings = collectWarnings();
    createSetUpWarnings("Set `email`").address(ip, request);
    expect(await warnings()).toEqual([]);
  });

  it.each([
    ["at the first request", "10.0.0.1", [], from("10.0.0.1", "8.8.8.8")],
    ["in another spelling", "10.0.0.1", [], from("::ffff:10.0.0.1", "8.8.8.8")],
    ["after a health check", "10.0.0.1", ["127.0.0.1"], from("10.0.0.1", "8.8.8.8")],
  ])("R24 reports a proxy that nobody trusts %s", async (_, ip, before, request) => {
    vi.resetModules();
    const { createSetUpWarnings: create } = await import("../../src/decision/set-up-warnings.js");
    const warnings = collectWarnings();
    const watch = create("");
    for (const address of before) watch.address(address, from(address));
    for (let n = 0; n < 3; n++) watch.address(ip, request);
    expect(await warnings()).toEqual(["RISKGATE_SINGLE_CLIENT"]);
  });

  it("R24 reports that every client is one private address", async () => {
    const warnings = collectWarnings();
    const watch = createSetUpWarnings("Set `email`");
    for (let n = 0; n < 3000; n++) watch.address("10.0.0.1", from("10.0.0.1"));
    expect(await warnings()).toEqual(["RISKGATE_SINGLE_CLIENT"]);
  });

  it("R24 reports 50 requests without a client address, unless one had one", async () => {
    const warnings = collectWarnings();
    const mixed = createSetUpWarnings("Set `email`");
    for (let n = 0; n < 49; n++) mixed.address(undefined, from("10.0.0.1"));
    mixed.address("10.0.0.1", from("10.0.0.1"));
    for (let n = 0; n < 100; n++) mixed.address(undefined, from("10.0.0.1"));
    expect(await warnings()).toEqual([]);
    const watch = createSetUpWarnings("Set `email`");
    for (let n = 0; n < 100; n++) watch.address(undefined, from("10.0.0.1"));
    expect(await warnings()).toEqual(["RISKGATE_NO_CLIENT_ADDRESS"]);
  });

  it("R24 asks for the trust of the framework once", async () => {
    const warnings = collectWarnings();
    const watch = createSetUpWarnings("Set `email`");
    let asked = 0;
    for (let n = 0; n < 3; n++) {
      watch.trust({
        unsafeTrust() {
          asked++;
          return "everybody is trusted";
        },
      });
    }
    createSetUpWarnings("Set `email`").trust({ unsafeTrust: () => undefined });
    expect(asked).toBe(1);
    expect(await warnings()).toEqual(["RISKGATE_UNSAFE_TRUST"]);
  });

  it("reports a body that nobody has parsed, and no other", async () => {
    const warnings = collectWarnings();
    const watch = createSetUpWarnings("Set `email`");
    const request = (headers: object, readableDidRead = false): IncomingMessage =>
      ({ headers, readableDidRead }) as IncomingMessage;
    watch.body(request({}), undefined);
    watch.body(request({ "content-length": "0" }), undefined);
    watch.body(request({ "content-length": "7" }), {});
    watch.body(request({ "content-length": "7" }, true), undefined);
    expect(await warnings()).toEqual([]);
    watch.body(request({ "content-length": "7" }), undefined);
    watch.body(request({ "transfer-encoding": "chunked" }), undefined);
    expect(await warnings()).toEqual(["RISKGATE_BODY_NOT_PARSED"]);
  });

  it("reports 50 bodies without an email, by names that are not values", async () => {
    const warnings = collectWarnings();
    const texts: string[] = [];
    const listener = ({ message }: Error): void => void texts.push(message);
    process.on("warning", listener);
    onTestFinished(() => void process.off("warning", listener));
    const watch = createSetUpWarnings("Set `email`");
    const path = ["mail", "address"];
    const body = { user: { email: "ada@shop.example" }, "ada@shop.example": 1, list: ["x"] };
    for (let n = 0; n < 49; n++) watch.email(true, body, path);
    watch.email(true, {}, path);
    watch.email(true, undefined, path);
    watch.email(true, ["x"], path);
    expect(await warnings()).toEqual([]);
    for (let n = 0; n < 60; n++) watch.email(true, body, path);
    expect(await warnings()).toEqual(["RISKGATE_NO_EMAIL"]);
    expect(texts[0]).toContain("`mail.address` in 50 bodies with user, user.email, list.");
    expect(texts[0]).not.toContain("@");
  });

  it("reports nothing once a body had an email", async () => {
    const warnings = collectWarnings();
    const watch = createSetUpWarnings("Set `email`");
    const body = { name: "Ada" };
    for (let n = 0; n < 49; n++) watch.email(true, body, ["email"]);
    watch.email(false, { ...body, email: "ada@shop.example" }, ["email"]);
    for (let n = 0; n < 100; n++) watch.email(true, body, ["email"]);
    expect(await warnings()).toEqual([]);
  });
});
