import { describe, expect, it } from "vitest";
import { isRiskGateError, RiskGateError } from "../../src/base/errors.js";
import { isRefusalCode, problemReply, type RefusalCode, statusOf } from "../../src/base/problem.js";
import {
  EVENT_CATEGORIES,
  EVENT_KINDS,
  INCIDENT_GENRES,
  PAYLOAD_TYPES,
  withoutBlanks,
} from "../../src/model/vocabulary.js";

describe("RiskGateError", () => {
  it("carries its code, the advice of the code and the cause", () => {
    const cause = new Error("underneath");
    const error = new RiskGateError("NETWORK", "no connection", { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "RiskGateError", code: "NETWORK", cause });
    expect(error.hint).toContain("base URL");
  });

  it("has only the details it was given", () => {
    const error = new RiskGateError("RATE_LIMITED", "wait", { retryAfterMs: 1000, hint: "later" });
    expect(error).toMatchObject({ retryAfterMs: 1000, hint: "later" });
    for (const name of ["cause", "status", "details", "contentType"]) {
      expect(Object.hasOwn(error, name)).toBe(false);
    }
  });
});

describe("isRiskGateError", () => {
  it("LIF-08 knows an error of another copy of the package", () => {
    const foreign = Object.assign(new Error("x"), { name: "RiskGateError", code: "TIMEOUT" });
    expect(isRiskGateError(foreign)).toBe(true);
    expect(isRiskGateError(new RiskGateError("TIMEOUT", "x"))).toBe(true);
  });

  it.each<[unknown]>([
    [new Error("x")],
    [Object.assign(new Error("x"), { code: "ECONNRESET" })],
    [{ name: "RiskGateError", code: "TIMEOUT" }],
    [null],
    [undefined],
    ["RiskGateError"],
  ])("takes nothing else for one: %o", (value) => {
    expect(isRiskGateError(value)).toBe(false);
  });
});

describe("problemReply", () => {
  it.each<[RefusalCode, number]>([
    ["RISK_REJECTED", 403],
    ["RISK_UNAVAILABLE", 503],
    ["IDENTIFIER_INVALID", 400],
    ["METHOD_NOT_ALLOWED", 405],
    ["UNSUPPORTED_MEDIA_TYPE", 415],
    ["SIGNATURE_INVALID", 401],
    ["BODY_TOO_LARGE", 413],
    ["BODY_TIMEOUT", 408],
    ["BODY_INCOMPLETE", 400],
    ["RAW_BODY_UNAVAILABLE", 500],
    ["INVALID_ENCODING", 400],
    ["INVALID_JSON", 400],
    ["INVALID_PAYLOAD", 400],
    ["TOO_MANY_EVENTS", 400],
    ["HANDLER_FAILED", 500],
    ["HANDLER_TIMEOUT", 503],
    ["HANDLER_BUSY", 503],
    ["INBOX_UNAVAILABLE", 503],
    ["STORE_FAILED", 503],
  ])("GAT-03 answers %s with %i and problem details that tell nothing else", (code, status) => {
    const reply = problemReply(code);
    expect(statusOf(code)).toBe(status);
    expect(reply.status).toBe(status);
    expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(reply.headers["retry-after"] !== undefined).toBe(status === 503);
    const body = JSON.parse(reply.body) as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(["type", "title", "status", "code"]);
    expect(body).toMatchObject({ type: "about:blank", status, code });
  });

  it("adds the headers it is given", () => {
    expect(problemReply("METHOD_NOT_ALLOWED", { allow: "POST" }).headers["allow"]).toBe("POST");
  });
});

describe("isRefusalCode", () => {
  it("knows own codes only", () => {
    const codes = ["RISK_REJECTED", "TIMEOUT", "toString", "__proto__", "constructor"];
    expect(codes.map(isRefusalCode)).toEqual([true, false, false, false, false]);
  });
});

describe("vocabulary", () => {
  it("has the words of the specification, each once", () => {
    expect([PAYLOAD_TYPES, EVENT_CATEGORIES, EVENT_KINDS].map((words) => words.length)).toEqual([
      4, 4, 19,
    ]);
    expect(Object.keys(INCIDENT_GENRES)).toHaveLength(18);
    const words = [...PAYLOAD_TYPES, ...EVENT_KINDS, ...Object.keys(INCIDENT_GENRES)];
    expect(words.filter((word) => !/^[a-z0-9_]+$/.test(word))).toEqual([]);
    expect(new Set(EVENT_KINDS).size).toBe(EVENT_KINDS.length);
    expect(words.map((word) => withoutBlanks(word.replaceAll("_", " ")))).toEqual(words);
  });
});
