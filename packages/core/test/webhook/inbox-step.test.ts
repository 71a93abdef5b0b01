import { describe, expect, it } from "vitest";
import type { AcceptedDelivery, Receipt } from "../../src/payloads.js";
import { nextStep, splitDelivery } from "../../src/webhook/inbox-step.js";

const deliveryOf = (body: string | Uint8Array): AcceptedDelivery => ({
  body: Buffer.from(body),
  secretId: "2027",
});

const receiptOf = (known: Partial<Receipt>): Receipt => {
  const none = { handled: 0, duplicates: 0, ignored: [], failed: [], pending: 0 };
  return { status: 204, ...none, ...known };
};

describe("splitDelivery", () => {
  it("makes each element a delivery of its own, as it was sent", () => {
    const elements = splitDelivery(deliveryOf('\ufeff[{"a":1.0} ,\n{"b":"\\u00e9, ]"},[2, 3]]'));
    expect(elements.map(({ body }) => String(body))).toEqual([
      '[{"a":1.0}]',
      '[{"b":"\\u00e9, ]"}]',
      "[[2, 3]]",
    ]);
    expect(elements.map(({ firstIndex }) => firstIndex)).toEqual([0, 1, 2]);
    expect(elements.every(({ secretId }) => secretId === "2027")).toBe(true);
  });

  it.each([
    ["one element", "[ 1 ]"],
    ["none", "[]"],
    ["an object", '{"a":1}'],
    ["broken JSON", "[1,2"],
    ["bytes that are not UTF-8", Buffer.from("5b312c22ff225d", "hex")],
  ])("leaves a delivery of %s as it is", (_, body) => {
    const delivery = deliveryOf(body);
    expect(splitDelivery(delivery)).toEqual([delivery]);
  });

  it("leaves an element that was taken out before as it is", () => {
    const element = { ...deliveryOf("[[1],[2]]"), firstIndex: 3 };
    expect(splitDelivery(element)).toEqual([element]);
  });
});

describe("nextStep", () => {
  const failed = [{ index: 0, error: new Error("for the test") as never }];

  it.each<[string, string, Partial<Receipt>]>([
    ["done", "everything handled", { handled: 3 }],
    ["done", "everything ignored", {}],
    ["retry", "a handler that failed", { code: "HANDLER_FAILED", failed }],
    ["retry", "a handler that took too long", { code: "HANDLER_TIMEOUT", pending: 1 }],
    ["retry", "payloads that are left without a reason", { pending: 1 }],
    ["postpone", "a payload that another process has", { code: "HANDLER_BUSY", pending: 1 }],
    ["postpone", "a seen store that is down", { code: "STORE_FAILED" }],
    ["retry", "both a failure and a busy payload", { code: "HANDLER_BUSY", failed, pending: 1 }],
  ])("asks for %s after %s", (step, _, receipt) => {
    expect(nextStep(receiptOf(receipt))).toBe(step);
  });
});
