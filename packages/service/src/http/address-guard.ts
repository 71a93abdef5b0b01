import { createIpTable, normalizeIp } from "@riskgate/core/address";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBody } from "./error-body.js";

/** This machine alone. */
export const LOOPBACK: readonly string[] = ["127.0.0.0/8", "::1/128"];

/** Refuses a request, or lets it pass. */
export type Guard = (request: FastifyRequest, reply: FastifyReply, next: () => void) => void;

/**
 * Makes the guard that refuses connections from outside these networks. Headers do not count: what
 * a proxy on this machine forwards comes from this machine.
 *
 * @param networks Addresses and CIDRs.
 */
export function createAddressGuard(networks: readonly string[]): Guard {
  const table = createIpTable(networks.map((network) => [network, 1] as const));
  return ({ socket }, reply, next) => {
    const address = normalizeIp(socket.remoteAddress);
    if (address !== undefined && table.marksOf(address) > 0) next();
    else void reply.code(403).send(errorBody(403, "Not allowed from this address"));
  };
}
