import { RawConnection } from "../lib/raw-connection.mjs";

const CONNECTIONS = 64;
const KEY = "bench-key";

/** @typedef {(ip: string) => Promise<any>} Lookup Looks up one address and returns the parsed answer. */

/** Factories of the compared clients, each for the service at one origin. */
export const CLIENTS = {
  floor,
  "undici.request": undici,
  riskgate,
  "riskgate over fetch": (/** @type {string} */ origin) => riskgate(origin, { fetch }),
  "node:http": nodeHttp,
  fetch: builtIn,
  axios,
  got,
  ky,
};

/** Sends prepared requests over plain sockets. @param {string} origin @returns {Promise<Lookup>} */
async function floor(origin) {
  const port = Number(new URL(origin).port);
  const idle = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => RawConnection.open(port)),
  );
  /** @type {((connection: RawConnection) => void)[]} */
  const waiting = [];
  return async (ip) => {
    const connection = idle.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
    const request = `GET /v1/ips/${ip} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEY}\r\n\r\n`;
    const { body } = await connection.exchange(request);
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
    return JSON.parse(body);
  };
}

/** @param {string} origin @returns {Promise<Lookup>} */
async function undici(origin) {
  const { Pool } = await import("undici");
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const headers = { "x-api-key": KEY, accept: "application/json" };
  return async (ip) => {
    const { body } = await pool.request({ method: "GET", path: `/v1/ips/${ip}`, headers });
    return body.json();
  };
}

/** @param {string} baseUrl @param {object} [options] @returns {Promise<Lookup>} */
async function riskgate(baseUrl, options) {
  const { createRiskClient } = await import("@riskgate/core");
  const client = createRiskClient({ baseUrl, apiKey: KEY, cache: false, ...options });
  return (ip) => client.lookupIp(ip);
}

/** @param {string} origin @returns {Promise<Lookup>} */
async function nodeHttp(origin) {
  const { Agent, get } = await import("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { "x-api-key": KEY, accept: "application/json" };
  return (ip) =>
    new Promise((resolve, reject) => {
      const request = get(`${origin}/v1/ips/${ip}`, { agent, headers }, (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      });
      request.on("error", reject);
    });
}

/** @param {string} origin @returns {Promise<Lookup>} */
async function builtIn(origin) {
  const headers = { "x-api-key": KEY, accept: "application/json" };
  return async (ip) => (await fetch(`${origin}/v1/ips/${ip}`, { headers })).json();
}

/** @param {string} origin @returns {Promise<Lookup>} */
async function axios(origin) {
  const [{ default: client }, { Agent }] = await Promise.all([
    import("axios"),
    import("node:http"),
  ]);
  const instance = client.create({
    adapter: "http",
    baseURL: origin,
    headers: { "x-api-key": KEY },
    httpAgent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
  });
  return async (ip) => (await instance.get(`/v1/ips/${ip}`)).data;
}

/** @param {string} origin @returns {Promise<Lookup>} */
async function got(origin) {
  const [{ default: client }, { Agent }] = await Promise.all([import("got"), import("node:http")]);
  const instance = client.extend({
    prefixUrl: origin,
    headers: { "x-api-key": KEY },
    agent: { http: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }) },
    retry: { limit: 0 },
  });
  return (ip) => instance.get(`v1/ips/${ip}`).json();
}

/** @param {string} origin @returns {Promise<Lookup>} */
async function ky(origin) {
  const { default: client } = await import("ky");
  const instance = client.create({ prefixUrl: origin, headers: { "x-api-key": KEY }, retry: 0 });
  return (ip) => instance.get(`v1/ips/${ip}`).json();
}
