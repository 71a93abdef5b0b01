import { createHmac } from "node:crypto";
import { normalizeIp } from "@riskgate/core/address";
import type { FastifyInstance } from "fastify";
import { errorBody } from "../error-body.js";
import { addResource } from "../add-resource.js";

const NONCE = /^[0-9a-f]{64}$/;

/**
 * Proves to a command that this service shares its key, before the command sends the token: after a
 * service has stopped, another program may listen on its port. The proof covers the connection's
 * address and port, so that a program on another address cannot relay it. Other accounts cannot
 * connect to a socket, so they cannot relay its proof.
 */
export function addProofRoute(scope: FastifyInstance, key: string): void {
  addResource(scope, "/proof/:nonce", {
    GET({ params, socket }, reply) {
      const { nonce } = params as { readonly nonce: string };
      if (!NONCE.test(nonce)) return reply.code(400).send(errorBody(400, "Malformed nonce"));
      const ip = normalizeIp(socket.localAddress);
      const place = ip === undefined ? "unix socket" : `${ip} ${socket.localPort}`;
      const proof = createHmac("sha256", key).update(`${nonce} ${place}`).digest("hex");
      return reply.header("cache-control", "no-store").send({ proof });
    },
  });
}
