import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createAddressWatch } from "../../src/gate/address-watch.js";
import { collectWarnings } from "../support/warnings.js";

// Each warning is given once for a process: so one test for each code, and what is silent first.
describe("createAddressWatch", () => {
  it.each<[string, (n: number) => string]>([
    ["999 requests from one private address", (n) => (n < 999 ? "10.0.0.1" : "10.0.0.2")],
    ["a second address at the start", (n) => (n === 1 ? "10.0.0.2" : "10.0.0.1")],
    ["one public address", () => "8.8.8.8"],
  ])("is silent about %s", async (_, addressOf) => {
    const warnings = collectWarnings();
    const watch = createAddressWatch();
    for (let n = 0; n < 3000; n++) watch.address(addressOf(n));
    expect(await warnings()).toEqual([]);
  });

  it("R24 reports that every client is one private address", async () => {
    const warnings = collectWarnings();
    const watch = createAddressWatch();
    for (let n = 0; n < 3000; n++) watch.address("10.0.0.1");
    expect(await warnings()).toEqual(["RISKGATE_SINGLE_CLIENT"]);
  });

  it("R24 asks for the trust of the framework once", async () => {
    const warnings = collectWarnings();
    const watch = createAddressWatch();
    let asked = 0;
    for (let n = 0; n < 3; n++) {
      watch.trust({
        unsafeTrust() {
          asked++;
          return "everybody is trusted";
        },
      });
    }
    createAddressWatch().trust({ unsafeTrust: () => undefined });
    expect(asked).toBe(1);
    expect(await warnings()).toEqual(["RISKGATE_UNSAFE_TRUST"]);
  });

  it("reports a body that nobody has parsed, and no other", async () => {
    const warnings = collectWarnings();
    const watch = createAddressWatch();
    const request = (headers: object, readableDidRead = false): IncomingMessage =>
      ({ headers, readableDidRead }) as IncomingMessage;
    watch.body(request({}), undefined);
    watch.body(request({ "content-length": "0" }), undefined);
    watch.body(request({ "content-length": "7" }), {});
    watch.body(request({ "content-length": "7" }, true), undefined);
    expect(await warnings()).toEqual([]);
    watch.body(request({ "content-length": "7" }), undefined);
    watch.body(request({ "transfer-encoding": "chunked" }), undefined);
    expect(await warnings()).toEqual(["RISKGATE_BODY_NOT_PARSED"]);
  });
});
