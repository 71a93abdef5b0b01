#!/usr/bin/env node
// What a watched login costs while the service that takes the reports is well, slow, down, or too much
// behind: `node bench/reporter.mjs`, after a build. The application is a process of its own; each
// variant has its turn in every round.
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { createServer as createRawServer } from "node:net";
import { fileURLToPath } from "node:url";
import { createReporter } from "@riskgate/core";
import { loginWatch } from "@riskgate/express";
import express from "express";
import { Agent, request } from "undici";
import { latencies } from "./lib/figures.mjs";

const ROUNDS = 7;
const REQUESTS = 2_000;
const CLIENTS = 4;
const VARIANTS = ["no watch", "well", "slow", "hanging", "down", "queue full"];

if (process.argv[2] === "app") await serveApp();
else await main();

/** An application with one login for each variant; prints what its reporters have lost when asked. */
async function serveApp() {
  const well = await listen(createServer(answering(0)));
  const slow = await listen(createServer(answering(2_000)));
  const hanging = await listen(createRawServer((socket) => socket.on("error", () => {})));
  const down = 1;
  const ports = { well, slow, hanging, down, "queue full": hanging };
  const app = express();
  app.use(express.json());
  /** @type {import("express").RequestHandler} */
  const handler = (_request, response) => void response.status(401).json({});
  app.post("/0", handler);
  /** @type {Map<string, import("@riskgate/core").Reporter>} */
  const reporters = new Map();
  for (const [name, port] of Object.entries(ports)) {
    const reporter = createReporter({
      baseUrl: `http://127.0.0.1:${port}`,
      reportKey: "bench",
      onDrop() {},
      ...(name === "queue full" && { maxQueued: 10 }),
    });
    reporters.set(name, reporter);
    const watch = loginWatch({ reporter, ip: () => "8.8.8.8" });
    app.post(`/${VARIANTS.indexOf(name)}`, watch, handler);
  }
  const port = await listen(createServer(app));
  process.on("message", () => {
    process.send?.([...reporters].map(([name, reporter]) => [name, reporter.stats()]));
  });
  process.send?.(port);
}

/** @param {number} delayMs @returns {import("node:http").RequestListener} */
function answering(delayMs) {
  return (incoming, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => {
      const elements = JSON.parse(Buffer.concat(chunks).toString()).map(() => ({
        state: "accepted",
      }));
      const body = { accepted: elements.length, duplicates: 0, refused: 0, elements, events: [] };
      setTimeout(() => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(body));
      }, delayMs);
    });
  };
}

/** @param {import("node:net").Server} server @returns {Promise<number>} */
function listen(server) {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

async function main() {
  const app = fork(fileURLToPath(import.meta.url), ["app"]);
  /** @returns {Promise<any>} */
  const heard = () => new Promise((resolve) => app.once("message", resolve));
  const origin = `http://127.0.0.1:${await heard()}`;
  const dispatcher = new Agent({ connections: CLIENTS });
  /** @type {number[][]} */
  const timesMs = VARIANTS.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const variant of VARIANTS.keys()) {
      const times = await burst(`${origin}/${variant}`, dispatcher);
      if (round > 0) timesMs[variant]?.push(...times);
    }
  }
  app.send("stats");
  const stats = new Map(await heard());
  await dispatcher.close();
  app.kill();
  console.log("| Service | Requests | p50 ms | p99 ms | Reported | Dropped |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const [variant, name] of VARIANTS.entries()) {
    const { p50, p99 } = latencies(timesMs[variant] ?? []);
    const { accepted = 0, dropped = 0 } = stats.get(name) ?? {};
    const figures = [(p50 / 1000).toFixed(3), (p99 / 1000).toFixed(3), accepted, dropped];
    console.log(`| ${[name, ROUNDS * REQUESTS, ...figures].join(" | ")} |`);
  }
}

/** @param {string} url @param {Agent} dispatcher */
async function burst(url, dispatcher) {
  /** @type {number[]} */
  const times = [];
  let left = REQUESTS;
  const work = async () => {
    while (left-- > 0) {
      const startedMs = performance.now();
      const { body } = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"email":"ann@shop.example"}',
        dispatcher,
      });
      await body.dump();
      times.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return times;
}
