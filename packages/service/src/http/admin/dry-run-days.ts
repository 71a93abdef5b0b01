import type { FastifyRequest } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;

/** The body of a request for a dry run. */
interface DryRunBody {
  readonly days: number;
  /** All other members. */
  readonly rest: object;
}

/**
 * Reads `days` from the body: how far back the dry run goes.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readDays({ body }: FastifyRequest): DryRunBody {
  const reader = new MemberReader(body ?? {}, "the body");
  const { days: _, ...rest } = (body ?? {}) as { readonly days?: unknown };
  return { days: reader.whole("days", 1, MAX_DAYS) ?? DEFAULT_DAYS, rest };
}
