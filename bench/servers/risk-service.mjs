import { createServer } from "node:http";
import { createService } from "@riskgate/service";
import fastify from "fastify";

const EMAIL = {
  email: "",
  risk_score: 12,
  is_known_attacker: false,
  high_risk_security_events_count: 0,
  security_events_count: 0,
  is_disposable: true,
  is_email_malformed: false,
  is_email_harmful: false,
};

const IP = {
  ip: "",
  ip_version: 4,
  risk_score: 12,
  is_known_attacker: false,
  security_events_count: 0,
  high_risk_security_events_count: 0,
  ip_geo: { latitude: 52.3759, longitude: 4.8975, country_code: "NLD", city: "Amsterdam" },
  is_datacenter: false,
  is_vpn: false,
  is_proxy: false,
  is_private: false,
  is_tor: false,
};

/**
 * Serves lookups, either by the service over a prepared directory or with a fixed answer, which
 * measures HTTP alone.
 *
 * @param {string} text JSON with the variant and, for the service, its options and the API key.
 */
export default async function serve(text) {
  const { variant, key, options } = JSON.parse(text);
  if (variant === "node:http") return bareServer(key);
  if (variant === "fastify") return fastifyServer(key);
  const service = await createService(options);
  const { url } = await service.listen({ port: 0, host: "127.0.0.1" });
  return { address: () => ({ port: Number(new URL(url).port) }) };
}

/** @param {string} key */
function bareServer(key) {
  const server = createServer((request, response) => {
    if (request.headers["x-api-key"] !== key) {
      response.writeHead(401).end();
      return;
    }
    const { url } = request;
    const identifier = decodeURIComponent(url.slice(url.lastIndexOf("/") + 1));
    const answer = url.startsWith("/v1/ips/")
      ? { ...IP, ip: identifier }
      : { ...EMAIL, email: identifier };
    const body = JSON.stringify(answer);
    response.writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** @param {string} key */
async function fastifyServer(key) {
  const app = fastify();
  /** @param {string} name @param {object} answer */
  const add = (name, answer) => {
    const schema = { response: { 200: schemaOf(answer) } };
    app.get(`/v1/${name}s/:${name}`, { schema }, (request, reply) => {
      if (request.headers["x-api-key"] !== key) return reply.code(401).send();
      return reply.send({ ...answer, [name]: request.params[name] });
    });
  };
  add("ip", IP);
  add("email", EMAIL);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server;
}

/** @param {object} value */
function schemaOf(value) {
  const properties = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === "object" ? schemaOf(member) : { type: typeof member },
    ]),
  );
  return { type: "object", properties };
}
