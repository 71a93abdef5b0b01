import { describe, expect, it } from "vitest";
import { targetOf } from "../../src/dispatch/target.js";

describe("targetOf", () => {
  it.each([
    ["https://hooks.example", "hooks.example", "hooks.example", 443, "/", false],
    ["http://hooks.example:80/in?a=1&b", "hooks.example", "hooks.example", 80, "/in?a=1&b", false],
    ["https://hooks.example:8443/", "hooks.example:8443", "hooks.example", 8443, "/", false],
    ["http://127.1:8080/", "127.0.0.1:8080", "127.0.0.1", 8080, "/", true],
    ["https://[2001:db8::1]/in", "[2001:db8::1]", "2001:db8::1", 443, "/in", true],
  ])("takes %s apart", (url, host, hostname, port, path, isAddress) => {
    const { protocol } = new URL(url);
    expect(targetOf(url)).toEqual({ protocol, host, hostname, port, path, isAddress });
  });

  it.each(["", "hooks.example", "ftp://hooks.example/", "https://"])("finds none in %j", (url) => {
    expect(targetOf(url)).toBeUndefined();
  });
});
