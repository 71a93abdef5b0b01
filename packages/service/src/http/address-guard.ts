import { createIpTable, normalizeIp } from "@riskgate/core/address";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBody } from "./error-body.js";

export const LOOPBACK: readonly string[] = ["127.0.0.0/8", "::1/128"];

/** Rejects a request or calls `next`. */
export type Guard = (request: FastifyRequest, reply: FastifyReply, next: () => void) => void;

/** Headers that a proxy sets, so the connection does not come from the client. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Creates the guard that rejects requests from outside the given networks, and every request that a
 * proxy forwarded: otherwise a proxy on this machine would give everyone this machine's access.
 * A connection from this machine is accepted only if `Host` names this machine too.
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
      // If there are several, another program may use a different one.
      raw.headersDistinct["host"]?.length === 1 &&
      (loopback.marksOf(address) <= 0 || LOOPBACK_HOST.test(headers.host ?? ""));
    if (isAllowed) next();
    else void reply.code(403).send(errorBody(403, "Not allowed from this address"));
  };
}
