import { describe, expect, it } from "vitest";
import { isCertificateError, networkError } from "../../src/lookup/network-error.js";

const keep = (text: string): string => text;

describe("networkError", () => {
  it("finds the code below the wrappers of fetch, and keeps nothing else", () => {
    const thrown = Object.assign(new Error("connect refused"), {
      code: "ECONNREFUSED",
      headers: "secret",
    });
    const error = networkError(new TypeError("fetch failed", { cause: thrown }), keep);
    expect(error.message).toContain("ECONNREFUSED");
    expect(Object.keys(error.cause as object)).toEqual(["code"]);
    expect(error.cause).not.toBe(thrown);
  });

  it("removes the key from message and code", () => {
    const thrown = Object.assign(new Error("bad k3y"), { code: "k3y" });
    const error = networkError(thrown, (text) => text.replaceAll("k3y", "[redacted]"));
    expect(`${error.message} ${(error.cause as Error).stack}`).not.toContain("k3y");
  });

  it("ends for causes that go round in a circle", () => {
    const thrown = new Error("round");
    thrown.cause = thrown;
    expect(networkError(thrown, keep).code).toBe("NETWORK");
  });

  it.each([
    ["CERT_HAS_EXPIRED", true],
    ["ERR_TLS_CERT_ALTNAME_INVALID", true],
    ["SELF_SIGNED_CERT_IN_CHAIN", true],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", true],
    ["HOSTNAME_MISMATCH", true],
    ["ECONNRESET", false],
    ["UND_ERR_SOCKET", false],
  ])("takes %s for a certificate error: %s", (code, expected) => {
    const error = networkError(Object.assign(new Error("x"), { code }), keep);
    expect(isCertificateError(error)).toBe(expected);
  });
});
