import { httpVariant, startLoad } from "../lib/load.mjs";
import { startServer } from "../lib/server.mjs";
import { prepareService } from "../workers/prepared-service.mjs";
import { deliveryCases } from "./service-delivery.mjs";

const SERVER = new URL("../servers/risk-service.mjs", import.meta.url);

/** Addresses or emails, looked up in turn. */
const QUESTIONS = 500;

export default {
  name: "service",
  title: "The self-hosted service",
  about:
    "Lookups over lists and places on disk, beside routes that know their answer: bare node:http, and Fastify with a schema. Deliveries that wait in the database, sent and recorded, beside a loop that signs and posts the same bodies over the same kind of connections.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => [
    lookups("ips", quick, (n) => `${1 + (n % 223)}.${(n * 7) % 256}.${(n * 13) % 256}.9`),
    lookups("emails", quick, (n) => `visitor.${n}%40mail-${n * 100}.example`),
    ...deliveryCases({ quick }),
  ],
};

/**
 * @param {"ips" | "emails"} kind
 * @param {boolean} quick
 * @param {(number: number) => string} identifier Encoded for the path.
 */
function lookups(kind, quick, identifier) {
  return {
    name: `GET /v1/${kind}/{}`,
    figure: "cpuUs",
    baseline: "fastify",
    rounds: 12,
    generations: 4,
    async open() {
      const prepared = await prepareService(
        quick
          ? { networks: 1_000, domains: 1_000, places: 1_000 }
          : { networks: 50_000, domains: 50_000, places: 100_000 },
      );
      const { key, options } = prepared;
      const load = startLoad();
      const request = Array.from({ length: QUESTIONS }, (_, number) =>
        Buffer.from(
          `GET /v1/${kind}/${identifier(number)} HTTP/1.1\r\nhost: risk.example\r\nx-api-key: ${key}\r\n\r\n`,
        ),
      );
      const servers = [];
      const variants = [];
      for (const name of ["node:http", "fastify", "riskgate"]) {
        const server = await startServer(SERVER, JSON.stringify({ variant: name, key, options }));
        servers.push(server);
        variants.push(httpVariant(name, server, load, { request, connections: 32, status: 200 }));
      }
      return {
        variants,
        async close() {
          for (const server of servers) await server.stop();
          await load.stop();
          await prepared.remove();
        },
      };
    },
    targets: [
      {
        id: "7",
        variant: "riskgate",
        against: "fastify",
        figure: "cpuUs",
        as: "ratio",
        atMost: 1.15,
      },
    ],
  };
}
