import type { FastifyReply, FastifyRequest } from "fastify";

/** Longest time for which a caller can wait, in seconds. */
const MAX_WAIT_SECONDS = 30;

/**
 * Reads how long a caller waits for a result: `Prefer: wait=5`, in seconds. Returns milliseconds.
 * Source: RFC 7240, section 4.3.
 */
export function readWait(request: FastifyRequest, reply: FastifyReply): number {
  const prefer = [request.headers["prefer"] ?? []].flat().join(",");
  const [, digits] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?:$|[,;\s])/i.exec(prefer) ?? [];
  const seconds = Math.min(Number(digits ?? 0), MAX_WAIT_SECONDS);
  if (seconds > 0) void reply.header("preference-applied", `wait=${seconds}`);
  return seconds * 1_000;
}
