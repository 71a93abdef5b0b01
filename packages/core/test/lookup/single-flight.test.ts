import { describe, expect, it } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { createSingleFlight, type SharedCall } from "../../src/lookup/single-flight.js";
import { caught } from "../support/caught.js";
import { fakeClock } from "../support/fake-clock.js";

/** A call that ends when the test says so. */
class Pending implements SharedCall<number> {
  resolve!: (value: number) => void;
  reject!: (error: RiskGateError) => void;
  readonly result = new Promise<number>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
  cancelled = 0;

  instead: number | undefined;
  late: number | RiskGateError = -1;

  join(): number | undefined {
    return this.instead;
  }

  expire(): number {
    if (this.late instanceof RiskGateError) throw this.late;
    return this.late;
  }

  cancel(reason: RiskGateError): void {
    this.cancelled++;
    this.reject(reason);
  }
}

describe("createSingleFlight", () => {
  it("shares one call among equal keys only", async () => {
    const singleFlight = createSingleFlight<number, Pending>();
    const one = singleFlight.shareCall("a", () => new Pending());
    const same = singleFlight.shareCall("a", () => new Pending());
    const other = singleFlight.shareCall("b", () => new Pending());
    expect(same.call).toBe(one.call);
    expect(other.call).not.toBe(one.call);
    one.call.resolve(1);
    expect(await Promise.all([one.result, same.result])).toEqual([1, 1]);
    expect(singleFlight.shareCall("a", () => new Pending()).call).not.toBe(one.call);
  });

  it("keeps the call for a waiter without a signal", async () => {
    const singleFlight = createSingleFlight<number, Pending>();
    const controller = new AbortController();
    const patient = singleFlight.shareCall("a", () => new Pending());
    const hasty = singleFlight.shareCall("a", () => new Pending(), controller.signal);
    controller.abort(new Error("enough"));
    const error = await caught(hasty.result);
    expect([error.code, error.cause]).toEqual(["ABORTED", new Error("enough")]);
    expect(patient.call.cancelled).toBe(0);
    patient.call.resolve(1);
    expect(await patient.result).toBe(1);
  });

  it("does not let the end of a cancelled call take the place of its successor", async () => {
    const singleFlight = createSingleFlight<number, Pending>();
    const controller = new AbortController();
    const first = singleFlight.shareCall("a", () => new Pending(), controller.signal);
    controller.abort();
    const second = singleFlight.shareCall("a", () => new Pending());
    await caught(first.result);
    expect(first.call.cancelled).toBe(1);
    expect(singleFlight.shareCall("a", () => new Pending()).call).toBe(second.call);
  });

  it.each<[string, number | RiskGateError]>([
    ["an answer", -1],
    ["an error", new RiskGateError("TIMEOUT", "late")],
  ])("gives a caller without time %s, and the others the result", async (_, late) => {
    const pass = fakeClock();
    const singleFlight = createSingleFlight<number, Pending>();
    const patient = singleFlight.shareCall("a", () => new Pending(), undefined, 100);
    const { call } = patient;
    call.late = late;
    const hasty = singleFlight.shareCall("a", () => new Pending(), undefined, 50);
    const outcome = hasty.result.catch((error: unknown) => error);
    await pass(50);
    expect(await outcome).toBe(late);
    expect(call.cancelled).toBe(0);
    call.resolve(1);
    expect(await patient.result).toBe(1);
    await pass(50);
    expect(call.cancelled).toBe(0);
  });

  it("ends the call with its last caller, whether by time or by signal", async () => {
    const pass = fakeClock();
    const singleFlight = createSingleFlight<number, Pending>();
    const controller = new AbortController();
    const { signal } = controller;
    const leaver = singleFlight.shareCall("a", () => new Pending(), signal, 100);
    const late = singleFlight.shareCall("a", () => new Pending(), undefined, 50);
    await pass(50);
    expect(await late.result).toBe(-1);
    expect(leaver.call.cancelled).toBe(0);
    controller.abort();
    expect((await caught(leaver.result)).code).toBe("ABORTED");
    expect(leaver.call.cancelled).toBe(1);
    await pass(50);
    expect(leaver.call.cancelled).toBe(1);
  });

  it("gives a caller that must not wait what the call says, and counts it for none", async () => {
    const singleFlight = createSingleFlight<number, Pending>();
    const controller = new AbortController();
    const first = singleFlight.shareCall("a", () => new Pending(), controller.signal);
    first.call.instead = 5;
    expect(await singleFlight.shareCall("a", () => new Pending()).result).toBe(5);
    controller.abort();
    expect((await caught(first.result)).code).toBe("ABORTED");
    expect(first.call.cancelled).toBe(1);
  });

  it("cancels everything at once", async () => {
    const singleFlight = createSingleFlight<number, Pending>();
    const waiting = ["a", "b"].map((key) =>
      caught(singleFlight.shareCall(key, () => new Pending()).result),
    );
    singleFlight.cancelAll(new RiskGateError("ABORTED", "closed"));
    expect((await Promise.all(waiting)).map(({ message }) => message)).toEqual([
      "closed",
      "closed",
    ]);
  });
});
