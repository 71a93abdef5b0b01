import type { FastifyRequest } from "fastify";
import { MemberReader } from "../../events/member-reader.js";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;

/**
 * Reads how many days back a dry run goes, as `days` of the body.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readDays({ body }: FastifyRequest): number {
  const reader = new MemberReader(body ?? {}, "the body");
  return reader.whole("days", 1, MAX_DAYS) ?? DEFAULT_DAYS;
}
