import { readOptions } from "@riskgate/core/adapter";
import { describe, expect, it } from "vitest";
import {
  defaultDeliverySettings,
  type DeliverySettings,
  readDeliverySettings,
} from "../../src/dispatch/delivery-settings.js";

const DAY_MS = 86_400_000;

function read(options: object): DeliverySettings {
  return readOptions("createService", options, readDeliverySettings);
}

describe("readDeliverySettings", () => {
  it("has the documented defaults", () => {
    const expected = {
      timeoutMs: 10_000,
      maxWaitMs: 1_000,
      concurrency: 4,
      retry: { maxAttempts: 12, firstWaitMs: 5_000, lastWaitMs: 21_600_000 },
      disableAfterMs: 5 * DAY_MS,
      closeGraceMs: 5_000,
      ca: undefined,
      resolve: expect.any(Function) as unknown,
    };
    expect(read({})).toEqual(expected);
    expect(defaultDeliverySettings()).toEqual(expected);
  });

  it("takes every setting", () => {
    const delivery = {
      timeoutMs: 1,
      maxWaitMs: 0,
      concurrency: 1_000,
      retry: { maxAttempts: 1, firstWaitMs: 2, lastWaitMs: 2 },
      disableAfterMs: Infinity,
      closeGraceMs: 0,
      ca: "PEM",
      resolve: () => Promise.resolve([]),
    };
    expect(read({ delivery })).toEqual(delivery);
  });

  it.each([
    ["timeoutMs", 0],
    ["timeoutMs", 2 ** 31],
    ["maxWaitMs", -1],
    ["maxWaitMs", 2 ** 31],
    ["concurrency", 1.5],
    ["disableAfterMs", Number.NaN],
    ["closeGraceMs", "5"],
    ["closeGraceMs", 2 ** 31],
    ["ca", 5],
    ["resolve", "system"],
    ["retry.maxAttempts", 1_001],
    ["retry.firstWaitMs", 2 ** 31],
    ["retry.lastWaitMs", 4_999],
    ["retry.lastWaitMs", 2 ** 31],
    ["retry", false],
  ])("refuses %s %j and names it", (path, value) => {
    const [name = "", member] = path.split(".");
    const delivery = { [name]: member === undefined ? value : { [member]: value } };
    expect(() => read({ delivery })).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(`\`delivery.${path}\``) as unknown,
      }) as Error,
    );
  });

  it.each([
    [{ delivery: false }, "`delivery` must be an object"],
    [{ delivery: { timeoutms: 1 } }, "did you mean `timeoutMs`?"],
    [{ delivery: { retry: { attempts: 1 } } }, "`delivery.retry.attempts`: unknown option"],
  ])("refuses %j", (options, message) => {
    expect(() => read(options)).toThrow(message);
  });
});
