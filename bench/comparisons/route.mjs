import { sign } from "@riskgate/core";
import { makeDelivery } from "../lib/deliveries.mjs";
import { httpVariant, startLoad } from "../lib/load.mjs";
import { startServer } from "../lib/server.mjs";

const SECRET = "the-signing-secret";
const SERVERS = new URL("../servers/webhooks.mjs", import.meta.url);

const FRAMEWORKS = /** @type {const} */ (["Fastify", "Koa", "Express"]);

/** Connections, and different deliveries sent in turn, by the number of events in each. */
const LOADS = {
  1: { connections: 32, deliveries: 4000 },
  100: { connections: 16, deliveries: 50 },
  1000: { connections: 8, deliveries: 5 },
};

export default {
  name: "route",
  title: "A webhook route",
  about:
    "Signed deliveries posted to one server process, each variant in a process of its own. The bare handler reads the stream, verifies with createHmac and timingSafeEqual, and parses. `riskgate` remembers nothing, as the bare handler does; with a seen store it also recognises what comes again.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => {
    const counts = /** @type {(keyof typeof LOADS)[]} */ (quick ? [1] : [1, 100, 1000]);
    return counts.flatMap((count) => FRAMEWORKS.map((framework) => route(framework, count)));
  },
};

/**
 * @param {(typeof FRAMEWORKS)[number]} framework
 * @param {keyof typeof LOADS} count
 */
function route(framework, count) {
  const { connections, deliveries } = LOADS[count];
  const bare = `${framework}, bare`;
  const names = [bare, `${framework}, riskgate`, `${framework}, riskgate with a seen store`];
  if (framework === "Fastify") {
    names.unshift("node:http, bare");
    names.push("Fastify, fastify-raw-body", "node:http, octokit");
  } else if (framework === "Koa") names.push("Koa, raw-body");
  else names.push("Express, express.raw", "Express, octokit");
  return {
    name: `${framework}, ${count === 1 ? "1 event" : `${count} events`}, CPU of a delivery`,
    figure: "cpuUs",
    baseline: bare,
    rounds: count === 1 ? 9 : 6,
    generations: count === 1 ? 3 : 2,
    async open() {
      const request = Array.from({ length: deliveries }, (_, series) => delivery(count, series));
      const load = startLoad();
      const servers = await Promise.all(names.map((name) => startServer(SERVERS, name)));
      const variants = names.map((name, index) => {
        const server = /** @type {import("../lib/server.mjs").RunningServer} */ (servers[index]);
        const options = { request, connections, status: name.endsWith("octokit") ? 200 : 204 };
        return httpVariant(name, server, load, options);
      });
      const close = () => Promise.all([load, ...servers].map((process) => process.stop()));
      return { variants, close };
    },
  };
}

/**
 * @param {number} count
 * @param {number} series
 */
function delivery(count, series) {
  const { body } = makeDelivery(count, { series });
  const signature = sign(body, SECRET);
  const head = [
    "POST /hook HTTP/1.1",
    "host: localhost",
    "content-type: application/json",
    `content-length: ${body.length}`,
    `x-service-integrity: ${signature}`,
    // What octokit asks for; the others do not look at it.
    "x-github-event: push",
    "x-github-delivery: 1",
    `x-hub-signature-256: sha256=${signature}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
}
