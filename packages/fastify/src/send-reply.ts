import type { Reply } from "@riskgate/core/adapter";
import type { FastifyReply } from "fastify";

/** Writes an answer of the core as it is. */
export function sendReply(reply: FastifyReply, { status, headers, body }: Reply): FastifyReply {
  reply.code(status).headers(headers);
  return body ? reply.send(body) : reply.send();
}
