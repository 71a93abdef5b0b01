import { createReceiver, sign } from "@riskgate/core";
import { makeDelivery } from "../lib/deliveries.mjs";
import { inChild } from "../lib/child.mjs";
import { httpVariant, startLoad } from "../lib/load.mjs";
import { startServer } from "../lib/server.mjs";
import { timedAsync } from "../lib/timing.mjs";
import { engineGrowth } from "./growth-engine.mjs";

const CACHE = new URL("../workers/cache-growth.mjs", import.meta.url);
const SECRET = "the-signing-secret";

export default {
  name: "growth",
  title: "How cost grows",
  about:
    "The same work on more: ranges in the feeds, events in the ledger, entries in the cache, payloads in a body, secrets of a webhook, guarded routes of an application. Ratios are to the smallest.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => [
    ...engineGrowth({ quick }),
    cacheEntries(quick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000]),
    bodySize(quick ? [1, 100] : [1, 10, 100, 1_000]),
    secrets(quick ? [1, 4] : [1, 2, 4, 8, 16]),
    routes(quick ? [1, 10] : [1, 10, 100, 1_000]),
  ],
};

/** @param {readonly number[]} counts */
function cacheEntries(counts) {
  return {
    name: "entries in the cache, cost of a hit",
    figure: "cpuNs",
    baseline: `${counts[0]}`,
    rounds: 3,
    warmUp: false,
    open: async () => ({
      variants: counts.map((count) => {
        return { name: `${count}`, measure: () => inChild(CACHE, count) };
      }),
    }),
  };
}

/** @param {readonly number[]} counts */
function bodySize(counts) {
  return {
    name: "payloads in a delivery, cost of one",
    figure: "usEach",
    baseline: `${counts[0]}`,
    async open() {
      const variants = counts.map((count) => {
        const measure = timedAsync(receiving(makeDelivery(count).body, 1));
        return {
          name: `${count}`,
          measure: async () => {
            const { us = NaN } = await measure();
            return { usEach: us / count, us };
          },
        };
      });
      return { variants };
    },
  };
}

/** @param {readonly number[]} counts */
function secrets(counts) {
  return {
    name: "secrets of a webhook, any of which may match",
    figure: "us",
    baseline: `${counts[0]}`,
    async open() {
      const { body } = makeDelivery(1);
      const variants = counts.map((count) => {
        return { name: `${count}`, measure: timedAsync(receiving(body, count)) };
      });
      return { variants };
    },
  };
}

/**
 * Receive a delivery that the last of several secrets has signed.
 *
 * @param {Buffer} body
 * @param {number} secretCount
 */
function receiving(body, secretCount) {
  const list = Array.from({ length: secretCount }, (_, index) => `${SECRET}-${index}`);
  const receiver = createReceiver({ secrets: list, seen: false, on: { security_event: () => {} } });
  const signature = sign(body, `${SECRET}-${secretCount - 1}`);
  return async () => {
    const { status } = await receiver.receive({ body, signature });
    if (status !== 204) throw new Error(`expected 204, given ${status}`);
  };
}

/** @param {readonly number[]} counts */
function routes(counts) {
  return {
    name: "guarded routes of a Fastify application, CPU of a request",
    figure: "cpuUs",
    baseline: `bare ${counts[0]}`,
    rounds: 5,
    async open() {
      const load = startLoad();
      const started = [];
      const variants = [];
      for (const kind of ["bare", "guarded"]) {
        for (const count of counts) {
          const name = `${kind} ${count}`;
          const server = await startServer(
            new URL("../servers/many-routes.mjs", import.meta.url),
            name,
          );
          const options = { request: login(count), connections: 32, status: 204 };
          started.push(server);
          variants.push(httpVariant(name, server, load, options));
        }
      }
      const close = () => Promise.all([load, ...started].map((process) => process.stop()));
      return { variants, close };
    },
  };
}

/** @param {number} route */
function login(route) {
  const body = JSON.stringify({ email: "jane@example.com", password: "correct horse" });
  return Buffer.from(
    [
      `POST /login/${route} HTTP/1.1`,
      "host: localhost",
      "content-type: application/json",
      "x-forwarded-for: 81.0.0.1",
      `content-length: ${body.length}`,
      "",
      body,
    ].join("\r\n"),
  );
}
