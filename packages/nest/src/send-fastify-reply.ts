import type { ServerResponse } from "node:http";
import type { Reply } from "@riskgate/core/adapter";

/** Part of a Fastify reply that is used. */
export interface FastifyReply {
  readonly raw: ServerResponse;
  readonly sent: boolean;
  code(status: number): FastifyReply;
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): FastifyReply;
  headers(headers: Reply["headers"]): FastifyReply;
  send(body?: unknown): FastifyReply;
}

/** Writes an answer of the core as it is. */
export function sendFastifyReply(reply: FastifyReply, { status, headers, body }: Reply): void {
  reply.code(status).headers(headers);
  if (body) reply.send(body);
  else reply.send();
}
