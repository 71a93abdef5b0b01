import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endpointUrlProblem, parseEndpointUrl } from "../../src/dispatch/endpoint-url.js";
import { codePoint } from "../../../../tools/test/code-point.js";

describe("endpointUrlProblem", () => {
  it.each([
    "https://hooks.example/security",
    "http://hooks.example:8080/a?b=c",
    "https://hooks.example/@team",
    "https://[2606:4700::1111]/hook",
    "HTTPS://HOOKS.EXAMPLE",
    `https://hooks.example/${"a".repeat(2048 - 22)}`,
  ])("takes %s", (url) => {
    expect(endpointUrlProblem(url)).toBeUndefined();
  });

  it.each([
    ["no URL", "hooks.example"],
    ["another scheme", "ftp://hooks.example/"],
    ["a file", "file:///etc/passwd"],
    ["script", "javascript:alert(1)"],
    ["user and password", "https://ada:secret@hooks.example/"],
    ["empty user and password", "https://@hooks.example/"],
    ["a fragment", "https://hooks.example/#top"],
    ["an empty fragment", "https://hooks.example/#"],
    ["2,049 characters", `https://hooks.example/${"a".repeat(2049 - 22)}`],
    ["no host", "https:///hook"],
    ["no host but a port", "https://:443/hook"],
    ["nothing behind the scheme", "https://"],
    ["a backslash", "https:\\\\hooks.example"],
    ["a blank", " https://hooks.example"],
    ["a line break", "https://hooks.example/\nx"],
    ["a broken address", "https://[::1/"],
    ["a port out of range", "https://hooks.example:65536/"],
    ["nothing", ""],
    ["a number", 7],
    ["null", null],
  ])("DSP-19 refuses %s", (_, url) => {
    expect(endpointUrlProblem(url)).toEqual(expect.any(String));
  });

  it("never throws, and what it takes has a host", () => {
    const text = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.webUrl({ withFragments: true }),
      fc.string().map((tail) => `http://${tail}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        if (endpointUrlProblem(given) !== undefined) return;
        const url = new URL(given);
        expect(["http:", "https:"]).toContain(url.protocol);
        expect(url.hostname).not.toBe("");
        expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("parseEndpointUrl", () => {
  it.each([
    ["https://hooks.example", "hooks.example", "hooks.example", 443, "/", false],
    ["http://hooks.example:80/in?a=1&b", "hooks.example", "hooks.example", 80, "/in?a=1&b", false],
    ["https://hooks.example:8443/", "hooks.example:8443", "hooks.example", 8443, "/", false],
    ["http://127.1:8080/", "127.0.0.1:8080", "127.0.0.1", 8080, "/", true],
    ["https://[2001:db8::1]/in", "[2001:db8::1]", "2001:db8::1", 443, "/in", true],
  ])("parses %s", (url, host, hostname, port, path, isAddress) => {
    const { protocol } = new URL(url);
    expect(parseEndpointUrl(url)).toEqual({ protocol, host, hostname, port, path, isAddress });
  });

  it.each(["", "hooks.example", "ftp://hooks.example/", "https://"])("finds none in %j", (url) => {
    expect(parseEndpointUrl(url)).toBeUndefined();
  });
});
