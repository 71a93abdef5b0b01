import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isRiskGateError } from "../../src/base/errors.js";
import { caught } from "../support/caught.js";
import { openClient } from "../support/open-client.js";
import {
  answering,
  type Behaviour,
  jsonResponse,
  response,
  silent,
  startUpstream,
} from "../support/raw-upstream.js";
import { until } from "../support/until.js";

const good = answering(jsonResponse({ risk_score: 7 }));

describe("client.lookupMany", () => {
  it("keeps the order, asks for duplicates once and reports each failure in its place", async () => {
    const behave: Behaviour = (socket, request) =>
      socket.write(
        request.path.includes("bad")
          ? response(503)
          : jsonResponse({ risk_score: request.path.length }),
      );
    const upstream = await startUpstream(behave);
    for (const cache of [{}, false] as const) {
      upstream.requests.length = 0;
      const client = openClient(upstream, { retries: 0, cache });
      const addresses = [
        "1.2.3.4",
        "a@shop.example",
        "bad@shop.example",
        "::ffff:1.2.3.4",
        "a@SHOP.example",
        "not an address",
        "1.2.3.4",
        5 as unknown as string,
        "22.2.3.4",
      ];
      const results = await client.lookupMany(addresses, { concurrency: 2 });
      expect(
        results.map((result) =>
          result.status === "fulfilled"
            ? result.value.risk_score
            : isRiskGateError(result.reason) && result.reason.code,
        ),
      ).toEqual([
        15,
        27,
        "UPSTREAM_STATUS",
        15,
        27,
        "INVALID_ARGUMENT",
        15,
        "INVALID_ARGUMENT",
        16,
      ]);
      expect(upstream.requests).toHaveLength(4);
    }
  });

  it.each([1, 3])("sends at most %i requests at a time", async (concurrency) => {
    let running = 0;
    let most = 0;
    const upstream = await startUpstream((socket) => {
      most = Math.max(most, ++running);
      void pause(5).then(() => {
        running--;
        socket.write(jsonResponse({ risk_score: 7 }));
      });
    });
    const client = openClient(upstream);
    const addresses = Array.from({ length: 30 }, (_, number) => `1.2.3.${number}`);
    const results = await client.lookupMany(addresses, { concurrency });
    expect(results.every(({ status }) => status === "fulfilled")).toBe(true);
    expect(most).toBe(concurrency);
    expect(await client.lookupMany([])).toEqual([]);
  });

  it("keeps the results before a signal, and reports the others as aborted", async () => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    await client.lookupIp("1.2.3.0");
    upstream.requests.length = 0;
    upstream.behave = silent;
    const controller = new AbortController();
    const addresses = Array.from({ length: 100 }, (_, number) => `1.2.3.${number}`);
    const { signal } = controller;
    const all = client.lookupMany(addresses, { concurrency: 4, signal });
    await until(() => upstream.requests.length === 4);
    controller.abort();
    const [first, ...others] = await all;
    expect(first).toMatchObject({ status: "fulfilled", value: { risk_score: 7 } });
    for (const other of others) expect(other).toMatchObject({ reason: { code: "ABORTED" } });
    expect(upstream.requests).toHaveLength(4);
  });

  it("limits the time of each lookup", async () => {
    const upstream = await startUpstream(silent);
    const [result] = await openClient(upstream).lookupMany(["1.2.3.4"], { timeoutMs: 20 });
    expect(result).toMatchObject({ status: "rejected", reason: { code: "TIMEOUT" } });
  });

  it("refuses wrong arguments", async () => {
    const client = openClient(await startUpstream(good));
    const ask = (addresses: unknown, options?: object) =>
      caught(client.lookupMany(addresses as string[], options));
    expect((await ask("1.2.3.4")).code).toBe("INVALID_ARGUMENT");
    expect((await ask([], { concurrency: 0 })).message).toContain("`concurrency`");
    expect((await ask([], { concurency: 3 })).message).toContain("concurrency");
  });
});
