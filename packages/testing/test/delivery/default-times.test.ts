import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { createReceiver } from "@riskgate/core";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { payloads } from "../../src/delivery/payloads.js";
import { signDelivery } from "../../src/delivery/sign-delivery.js";

const secrets = "hook-secret-1";
const delivery = signDelivery([payloads.test()], secrets);

/** Status after so many milliseconds on a clock that is put forward; undefined while there is none. */
async function statusAfter(ms: number, work: Promise<{ status: number }>) {
  let status: number | undefined;
  void work.then((result) => {
    status = result.status;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return status;
}

describe("the times of a webhook", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    vi.spyOn(performance, "now").mockImplementation(() => Date.now());
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it.each([
    [7_990, undefined],
    [8_010, 503],
  ])("WHR-27 leave handlers 8 seconds by default: after %i ms %s", async (ms, expected) => {
    const on = { test: async () => new Promise(() => {}) };
    const receiver = createReceiver({ secrets, on, onError() {} });
    expect(await statusAfter(ms, receiver.receive(delivery))).toBe(expected);
  });

  it.each([
    [9_990, undefined],
    [10_010, 408],
  ])("WHR-18 leave a body 10 seconds by default: after %i ms %s", async (ms, expected) => {
    const endpoint = createWebhookEndpoint({ secrets, on: { test() {} } });
    const request = new IncomingMessage(new Socket());
    request.method = "POST";
    Object.assign(request.headers, delivery.headers);
    expect(await statusAfter(ms, endpoint.answer(request))).toBe(expected);
  });
});
