import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { caught } from "../support/caught.js";
import { openClient } from "../support/open-client.js";
import {
  answering,
  jsonResponse,
  response,
  silent,
  startUpstream,
} from "../support/raw-upstream.js";
import { until } from "../support/until.js";

/** The built package: a child process of Node 20 cannot load the sources. */
const CORE = new URL("../../dist/index.js", import.meta.url).href;

const good = answering(jsonResponse({ risk_score: 7 }));

describe("client.close", () => {
  it("ends what is under way, refuses what comes later, and forgets", async () => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream, { maxConnections: 1 });
    await client.lookupIp("1.2.3.4");
    upstream.behave = silent;
    const sent = caught(client.lookupIp("1.2.3.5"));
    const queued = caught(client.lookupEmail("a@x.y"));
    await until(() => upstream.requests.length === 2);
    await client.close();
    await client.close();
    expect((await sent).code).toBe("ABORTED");
    expect((await queued).code).toBe("ABORTED");
    expect((await caught(client.lookupIp("1.2.3.4"))).code).toBe("ABORTED");
    expect(client.peekIp("1.2.3.4")).toBeUndefined();
    await until(() => upstream.sockets.size === 0);
    expect(upstream.requests).toHaveLength(2);
  });

  it("may come before the first connection is made", async () => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    const lookup = caught(client.lookupIp("1.2.3.4"));
    await client.close();
    expect((await lookup).code).toBe("ABORTED");
    expect(upstream.requests).toHaveLength(0);
  });
});

describe("process", () => {
  it.each([
    ["LIF-01 ends by itself after loading", "", silent],
    ["LIF-01 ends by itself with a client that was not used", "make();", silent],
    ["LIF-02 ends by itself after close", "await ask(make());", good],
    [
      "LIF-02 ends by itself after a close in mid-call",
      "const client = make(); const lookup = client.lookupIp('1.2.3.4').catch(() => {});" +
        "setTimeout(() => client.close(), 200); await lookup;",
      silent,
    ],
    [
      "ends by itself with idle connections and no close",
      "const client = make(); await client.lookupIp('1.2.3.4');",
      good,
    ],
  ])("%s", async (_, script, behave) => {
    const upstream = await startUpstream(behave);
    const prelude = `
      import { createRiskClient } from ${JSON.stringify(CORE)};
      const baseUrl = ${JSON.stringify(upstream.url)};
      const make = () => createRiskClient({ baseUrl, apiKey: "k", timeoutMs: 30_000 });
      const ask = async (client) => { await client.lookupIp("1.2.3.4"); await client.close(); };
      let turns = 0;
      setInterval(() => turns++, 100).unref();
      process.on("exit", () => console.log(turns));
    `;
    const source = `${prelude}\n${script}\nturns = 0;`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", source], {
      timeout: 50_000,
    });
    const { stdout, stderr } = await run;
    expect(stderr).toBe("");
    // Idle connections, if they were waited for, would take 4 seconds, in which the interval passes 40
    // times. A process that stands still has no turns, however long it does.
    expect(Number(stdout)).toBeLessThan(20);
  });
});

describe("10,000 lookups", () => {
  it("LIF-06 with one in five given up leave nothing behind", async () => {
    const upstream = await startUpstream((socket, { index }) => {
      upstream.requests.length = 0;
      if (index % 7 === 0) socket.destroy();
      else socket.write(index % 5 === 0 ? response(500) : jsonResponse({ risk_score: 1 }));
    });
    const client = openClient(upstream, { cache: false, breaker: false, timeoutMs: 5000 });
    const { signal } = new AbortController();
    const batch = async (count: number): Promise<number> => {
      for (let done = 0; done < count; done += 500) {
        const lookups = Array.from({ length: 500 }, (_, n) => {
          if (n % 5 !== 0) return client.lookupIp(`1.2.${n % 100}.3`, { signal });
          const controller = new AbortController();
          setTimeout(() => controller.abort(), n % 3);
          return client.lookupIp(`1.${n % 100}.2.3`, { signal: controller.signal });
        });
        await Promise.allSettled(lookups);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    await batch(3000);
    const before = await batch(1000);
    // 700 bytes of each lookup would be too much; the rest is what the engine makes once.
    expect((await batch(6000)) - before).toBeLessThan(4 * 2 ** 20);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(upstream.sockets.size).toBeLessThanOrEqual(64);
    await client.close();
    await until(() => upstream.sockets.size === 0);
  });
});
