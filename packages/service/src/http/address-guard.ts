import { createIpTable, normalizeIp } from "@riskgate/core/address";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBody } from "./error-body.js";

/** This machine alone. */
export const LOOPBACK: readonly string[] = ["127.0.0.0/8", "::1/128"];

/** Refuses a request, or lets it pass. */
export type Guard = (request: FastifyRequest, reply: FastifyReply, next: () => void) => void;

/** Set by a proxy: the connection is not from where the request is. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Makes the guard that refuses requests from outside these networks, and all that a proxy has
 * forwarded: a proxy on this machine must not open to everyone what is open to this machine. A
 * connection from this machine is its own only where `Host` names this machine too.
 *
 * @param networks Addresses and CIDRs.
 */
export function createAddressGuard(networks: readonly string[]): Guard {
  const table = createIpTable(networks.map((network) => [network, 1] as const));
  const loopback = createIpTable(LOOPBACK.map((network) => [network, 1] as const));
  return ({ socket, headers, raw }, reply, next) => {
    const address = normalizeIp(socket.remoteAddress);
    const isAllowed =
      address !== undefined &&
      table.marksOf(address) > 0 &&
      !Object.keys(headers).some((name) => FORWARDED.test(name)) &&
      // Of several, others may read another one.
      raw.headersDistinct["host"]?.length === 1 &&
      (loopback.marksOf(address) <= 0 || LOOPBACK_HOST.test(headers.host ?? ""));
    if (isAllowed) next();
    else void reply.code(403).send(errorBody(403, "Not allowed from this address"));
  };
}
