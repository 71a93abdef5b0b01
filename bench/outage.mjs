#!/usr/bin/env node
// How long a gate on defaults takes to decide while its service is in trouble, and what becomes of
// identities that were last known to be bad: `node bench/outage.mjs`, after a build.
import { fork } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createGate, createRiskClient } from "@riskgate/core";
import { latencies } from "./lib/figures.mjs";

const RATE = 500;
const KNOWN_BAD = 50;
/** Ends of the phases, in milliseconds from the start of the trouble. */
const PHASES = [1000, 3000, 6000];

/** @type {Record<string, (socket: import("node:net").Socket) => void>} What the service does. */
const TROUBLES = {
  "bad score": (socket) => socket.write(answer("200 OK", '{"risk_score":95}')),
  hanging: () => {},
  resetting: (socket) => socket.resetAndDestroy(),
  "429 alone": (socket) => socket.write(answer("429 Too Many Requests", "")),
  "429 and Retry-After": (socket) =>
    socket.write(answer("429 Too Many Requests\r\nretry-after: 1", "")),
};

/** @param {string} head @param {string} body */
function answer(head, body) {
  return `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

if (process.argv[2] === "serve") serve();
else await main();

/** The service, in a process of its own. */
function serve() {
  let trouble = TROUBLES["bad score"];
  let requests = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      requests++;
      trouble?.(socket);
    });
  });
  process.on("message", (/** @type {string} */ name) => {
    trouble = TROUBLES[name];
    process.send?.(requests);
    requests = 0;
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : undefined);
  });
}

async function main() {
  const service = fork(fileURLToPath(import.meta.url), ["serve"]);
  /** @returns {Promise<number>} */
  const heard = () => new Promise((resolve) => service.once("message", resolve));
  const port = await heard();
  console.log(
    "| Service | Since the trouble | Decisions | p50 ms | p99 ms | Known bad, rejected |",
  );
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const name of Object.keys(TROUBLES).slice(1)) {
    const setTrouble = (/** @type {string} */ trouble) => {
      service.send(trouble);
      return heard();
    };
    await setTrouble("bad score");
    const phases = await suffer(`http://127.0.0.1:${port}`, () => setTrouble(name));
    const requests = await setTrouble("bad score");
    for (const { label, timesMs, bad, rejected } of phases) {
      const { p50, p99 } = latencies(timesMs);
      const figures = [timesMs.length, (p50 / 1000).toFixed(2), (p99 / 1000).toFixed(2)];
      console.log(`| ${[name, label, ...figures, `${rejected} of ${bad}`].join(" | ")} |`);
    }
    console.log(`| ${name} | all | | | | ${requests} requests seen |`);
  }
  service.kill();
}

/** Decide at the rate from the moment at which the trouble begins. @param {string} baseUrl @param {() => Promise<unknown>} begin */
async function suffer(baseUrl, begin) {
  let aheadMs = 0;
  const now = () => performance.now() + aheadMs;
  const client = createRiskClient({ baseUrl, apiKey: "bench", now });
  const gate = createGate({ lookup: client, onError: () => {} });
  const emailOf = (/** @type {number} */ n) => `bad${n % KNOWN_BAD}@shop.example`;
  for (let n = 0; n < KNOWN_BAD; n++) await client.lookupEmail(emailOf(n));
  // Past the minute for which a risky score is fresh.
  aheadMs += 61_000;
  await begin();

  let startMs = 0;
  const phases = PHASES.map((endMs) => {
    const label = `${startMs / 1000} to ${endMs / 1000} s`;
    startMs = endMs;
    return { label, endMs, timesMs: /** @type {number[]} */ ([]), bad: 0, rejected: 0 };
  });
  const startedMs = performance.now();
  const deciding = [];
  for (const phase of phases) {
    let count = deciding.length;
    while (performance.now() - startedMs < phase.endMs) {
      for (; count < ((performance.now() - startedMs) * RATE) / 1000; count++) {
        const isBad = count % 10 === 0;
        const facts = {
          ip: `8.${count >> 16}.${(count >> 8) & 255}.${count & 255}`,
          email: isBad ? emailOf(count / 10) : `user${count}@shop.example`,
        };
        const askedMs = performance.now();
        deciding.push(
          gate.decide(facts).then(({ outcome }) => {
            phase.timesMs.push(performance.now() - askedMs);
            if (!isBad) return;
            phase.bad++;
            if (outcome === "reject") phase.rejected++;
          }),
        );
      }
      await sleep(1);
    }
  }
  await Promise.all(deciding);
  await client.close();
  return phases;
}
