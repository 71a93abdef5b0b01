import type { LoginReport, Reporter } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { loginWatch, type LoginWatchOptions } from "../src/index.js";

const INFO = { remoteAddress: "8.8.8.8", body: { email: "ann@shop.example" } };

const request = () => new Request("https://app.example/login", { method: "POST" });

/** Collects reports, each of which is sent when `flush` is called. */
function collected() {
  const queued: LoginReport[] = [];
  const sent: LoginReport[] = [];
  const reporter = {
    login: (login: LoginReport) => void queued.push(login),
    flush: async () => void sent.push(...queued.splice(0)),
  };
  return { queued, sent, reporter: reporter as unknown as Reporter };
}

describe("loginWatch", () => {
  it("gives `waitUntil` a promise that settles when the report is sent", async () => {
    const { queued, sent, reporter } = collected();
    const waits: [Promise<void>, number][] = [];
    const waitUntil: LoginWatchOptions["waitUntil"] = (promise, _request, { status }) =>
      waits.push([promise, status]);
    const watch = loginWatch({ reporter, waitUntil });
    await watch(request(), INFO, () => new Response(null, { status: 401 }));
    expect(waits).toEqual([[expect.any(Promise), 401]]);
    await waits[0]?.[0];
    expect([queued.length, sent.length]).toEqual([0, 1]);
  });

  it("leaves a reporter without `waitUntil` its batches", async () => {
    const { queued, reporter } = collected();
    const watch = loginWatch({ reporter });
    for (let sent = 0; sent < 3; sent++) await watch(request(), INFO, () => new Response());
    expect(queued).toHaveLength(3);
  });

  it("settles what `waitUntil` waits for if the reporter fails, or has no queue", async () => {
    for (const flush of [async () => Promise.reject(new Error("on purpose")), undefined]) {
      let waited: Promise<void> | undefined;
      const watch = loginWatch({
        reporter: { login() {}, flush } as unknown as Reporter,
        waitUntil: (promise) => (waited = promise),
      });
      await watch(request(), INFO, () => new Response());
      await expect(waited).resolves.toBeUndefined();
    }
  });

  it("reports nothing about a handler that throws, whose error it leaves to the caller", async () => {
    const { queued, reporter } = collected();
    const watched = loginWatch({ reporter })(request(), INFO, () => {
      throw new Error("failed on purpose");
    });
    await expect(watched).rejects.toThrow("failed on purpose");
    expect(queued).toEqual([]);
  });

  it("finds the address as the gate does", async () => {
    const { queued, reporter } = collected();
    const clientAddress = (given: Request) => given.headers.get("x-client");
    const headers = { "x-client": "9.9.9.9" };
    const from = new Request("https://app.example/login", { method: "POST", headers });
    await loginWatch({ reporter, clientAddress })(from, { body: INFO.body }, () => new Response());
    expect(queued).toMatchObject([{ address: "9.9.9.9" }]);
  });

  it("refuses options that it does not know", () => {
    const { reporter } = collected();
    expect(() => loginWatch({ reporter, waitUntill: () => {} } as LoginWatchOptions)).toThrow(
      "did you mean `waitUntil`",
    );
  });
});
