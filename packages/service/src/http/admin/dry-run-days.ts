import type { FastifyRequest } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;

/** How far back a dry run goes, and what it is a dry run of. */
interface DryRunBody {
  readonly days: number;
  /** All other members. */
  readonly rest: object;
}

/**
 * Reads how many days back a dry run goes, as `days` of the body.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT
 */
export function readDays({ body }: FastifyRequest): DryRunBody {
  const reader = new MemberReader(body ?? {}, "the body");
  const { days: _, ...rest } = (body ?? {}) as { readonly days?: unknown };
  return { days: reader.whole("days", 1, MAX_DAYS) ?? DEFAULT_DAYS, rest };
}
