import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createRiskClient } from "../../src/lookup/client.js";
import { caught } from "../support/caught.js";
import { API_KEY, openClient } from "../support/open-client.js";
import { answering, jsonResponse, startUpstream } from "../support/raw-upstream.js";

const good = answering(jsonResponse({ risk_score: 7 }));
const valid = { baseUrl: "https://risk.example", apiKey: API_KEY };

describe("request", () => {
  it.each([
    ["", "/v1/ips/1.2.3.4"],
    ["/", "/v1/ips/1.2.3.4"],
    ["/base", "/base/v1/ips/1.2.3.4"],
    ["/base/", "/base/v1/ips/1.2.3.4"],
  ])("CLI-06 goes below the base path %o", async (suffix, path) => {
    const upstream = await startUpstream(good);
    await openClient({ url: upstream.url + suffix }).lookupIp("1.2.3.4");
    expect(upstream.requests.map((request) => request.path)).toEqual([path]);
  });

  it.each([
    ["a/b@x.y", "a%2Fb%40x.y"],
    ["a?b@x.y", "a%3Fb%40x.y"],
    ["a#b@x.y", "a%23b%40x.y"],
    ["a%2fb@x.y", "a%252fb%40x.y"],
    ["a;b@x.y", "a%3Bb%40x.y"],
    ["a\\b@x.y", "a%5Cb%40x.y"],
    ['"a b"@x.y', "%22a%20b%22%40x.y"],
    ["a+b@x.y", "a%2Bb%40x.y"],
    ["\u00e9@x.y", "%C3%A9%40x.y"],
    ["a@X.Y", "a%40X.Y"],
  ])("CLI-07 holds %o as one segment", async (email, segment) => {
    const upstream = await startUpstream(good);
    await openClient(upstream).lookupEmail(email);
    expect(upstream.requests.map(({ line }) => line)).toEqual([
      `GET /v1/emails/${segment} HTTP/1.1`,
    ]);
    expect(decodeURIComponent(segment)).toBe(email);
  });

  it.each([
    ["CLI-08 two dots", ".."],
    ["CLI-08 one dot", "."],
    ["CLI-08 an empty text", ""],
    ["CLI-08 blanks", " \t\n"],
    ["CLI-09 a lone surrogate", "a\ud800@x.y"],
    ["CLI-10 321 bytes", `${"a".repeat(317)}@x.y`],
    ["CLI-10 321 bytes in fewer characters", `${"\u00e9".repeat(159)}@xy`],
    ["CLI-10 10 kB", `${"a".repeat(10_000)}@x.y`],
    ["CLI-12 null", null],
    ["CLI-12 undefined", undefined],
    ["CLI-12 a number", 5],
    ["CLI-12 an object", {}],
    ["CLI-12 an array", ["a@x.y"]],
    ["CLI-12 a symbol", Symbol("a@x.y")],
  ])("%s cannot be looked up as an email", async (_, email) => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    expect((await caught(client.lookupEmail(email as string))).code).toBe("INVALID_ARGUMENT");
    expect(client.peekEmail(email as string)).toBeUndefined();
    expect(upstream.requests).toHaveLength(0);
  });

  it("CLI-10 takes an email of 320 bytes", async () => {
    const upstream = await startUpstream(good);
    await openClient(upstream).lookupEmail(`${"a".repeat(316)}@x.y`);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each(["a@x.y\r\nBcc: b@x.y", "a\0@x.y", "a\u001b@x.y", "a\t@x.y"])(
    "CLI-11 encodes the control characters of %o",
    async (email) => {
      const upstream = await startUpstream(good);
      await openClient(upstream).lookupEmail(email);
      expect(upstream.requests).toHaveLength(1);
      expect(upstream.requests[0]?.path).toBe(`/v1/emails/${encodeURIComponent(email)}`);
      expect(upstream.requests[0]?.headers.map(([name]) => name)).not.toContain("bcc");
    },
  );

  it("CLI-12 never calls toString of an identifier", async () => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    const tricky = {
      toString: () => {
        throw new Error("called");
      },
    } as unknown as string;
    expect((await caught(client.lookupEmail(tricky))).code).toBe("INVALID_ARGUMENT");
    expect((await caught(client.lookupIp(tricky))).code).toBe("INVALID_ARGUMENT");
    expect(client.peekIp(tricky)).toBeUndefined();
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([
    "",
    "1.2.3",
    "01.2.3.4",
    "0x7f.1",
    "1.2.3.4:80",
    "[::1]",
    "::1/64",
    " 1.2.3.4",
    "1.2.3.4\n",
    "\uff11.2.3.4",
    "1.2.3.4%0",
    "1::2::3",
    "12345::",
    "..",
    null,
    5,
    {},
    ["1.2.3.4"],
  ])("CLI-13 does not take %o for an IP address", async (ip) => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    expect((await caught(client.lookupIp(ip as string))).code).toBe("INVALID_ARGUMENT");
    expect(client.peekIp(ip as string)).toBeUndefined();
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([
    [["2001:DB8:0:0:0:0:0:1", "2001:db8::1"], "/v1/ips/2001%3Adb8%3A%3A1"],
    [["::ffff:1.2.3.4", "::ffff:102:304", "1.2.3.4"], "/v1/ips/1.2.3.4"],
  ])("CLI-14 asks once for %o", async (spellings, path) => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    for (const ip of spellings) {
      await client.lookupIp(ip);
      expect(client.peekIp(ip)?.source).toBe("cache");
    }
    expect(upstream.requests.map((request) => request.path)).toEqual([path]);
  });

  it("CLI-15 leaves out the zone of an address", async () => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    await client.lookupIp("fe80::1%eth0");
    await client.lookupIp("fe80::1");
    expect(upstream.requests.map(({ path }) => path)).toEqual(["/v1/ips/fe80%3A%3A1"]);
  });

  it("CLI-16 carries one key and nothing that identifies", async () => {
    const upstream = await startUpstream(good);
    await openClient(upstream).lookupEmail("a@x.y");
    const [request] = upstream.requests;
    expect(request?.headers.filter(([name]) => name === "x-api-key")).toEqual([
      ["x-api-key", API_KEY],
    ]);
    expect(request?.headers).toContainEqual(["accept", "application/json"]);
    const names = request?.headers.map(([name]) => name);
    expect(names).not.toContain("cookie");
    expect(names).not.toContain("authorization");
    expect(names).not.toContain("content-length");
    expect(request?.line).not.toContain(API_KEY);
  });

  it("CLI-17 never shows the key of a client", () => {
    const client = createRiskClient(valid);
    const shown = [
      JSON.stringify(client),
      // eslint-disable-next-line typescript/no-base-to-string -- the text itself is the subject
      String(client),
      inspect(client, { depth: 9, showHidden: true }),
    ];
    expect(shown.join()).not.toContain(API_KEY);
  });

  it.each(["live", "cached"])(
    "CLI-18 is not made for a signal that has fired (%s)",
    async (kind) => {
      const upstream = await startUpstream(good);
      const client = openClient(upstream);
      if (kind === "cached") await client.lookupIp("1.2.3.4");
      const before = upstream.requests.length;
      const signal = AbortSignal.abort();
      expect((await caught(client.lookupIp("1.2.3.4", { signal }))).code).toBe("ABORTED");
      expect(upstream.requests).toHaveLength(before);
    },
  );
});
