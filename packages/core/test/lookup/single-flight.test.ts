import { describe, expect, it } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { createFlights, type Flight } from "../../src/lookup/single-flight.js";
import { caught } from "../support/caught.js";

/** A call that ends when the test says so. */
class Pending implements Flight<number> {
  resolve!: (value: number) => void;
  reject!: (error: RiskGateError) => void;
  readonly result = new Promise<number>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
  cancelled = 0;

  cancel(reason: RiskGateError): void {
    this.cancelled++;
    this.reject(reason);
  }
}

describe("createFlights", () => {
  it("shares one call among equal keys only", async () => {
    const flights = createFlights<number, Pending>();
    const one = flights.join("a", () => new Pending());
    const same = flights.join("a", () => new Pending());
    const other = flights.join("b", () => new Pending());
    expect(same.flight).toBe(one.flight);
    expect(other.flight).not.toBe(one.flight);
    one.flight.resolve(1);
    expect(await Promise.all([one.result, same.result])).toEqual([1, 1]);
    expect(flights.join("a", () => new Pending()).flight).not.toBe(one.flight);
  });

  it("keeps the call for a waiter without a signal", async () => {
    const flights = createFlights<number, Pending>();
    const controller = new AbortController();
    const patient = flights.join("a", () => new Pending());
    const hasty = flights.join("a", () => new Pending(), controller.signal);
    controller.abort(new Error("enough"));
    const error = await caught(hasty.result);
    expect([error.code, error.cause]).toEqual(["ABORTED", new Error("enough")]);
    expect(patient.flight.cancelled).toBe(0);
    patient.flight.resolve(1);
    expect(await patient.result).toBe(1);
  });

  it("does not let the end of a cancelled call take the place of its successor", async () => {
    const flights = createFlights<number, Pending>();
    const controller = new AbortController();
    const first = flights.join("a", () => new Pending(), controller.signal);
    controller.abort();
    const second = flights.join("a", () => new Pending());
    await caught(first.result);
    expect(first.flight.cancelled).toBe(1);
    expect(flights.join("a", () => new Pending()).flight).toBe(second.flight);
  });

  it("cancels everything at once", async () => {
    const flights = createFlights<number, Pending>();
    const waiting = ["a", "b"].map((key) => caught(flights.join(key, () => new Pending()).result));
    flights.cancelAll(new RiskGateError("ABORTED", "closed"));
    expect((await Promise.all(waiting)).map(({ message }) => message)).toEqual([
      "closed",
      "closed",
    ]);
  });
});
