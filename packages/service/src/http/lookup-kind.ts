import { type Assessment, normalizeIp, type RiskLookup, type Scored } from "@riskgate/core";
import { emailText, ipText } from "./assessment-text.js";
import { type ErrorBody, INVALID_EMAIL, INVALID_IP } from "./error-body.js";
import type { LookupType } from "./metrics.js";

/** What differs between the two lookups. */
export interface LookupKind {
  /**
   * The identifier to look up, or undefined for one that is not valid; null was undecodable. What it
   * lets through is checked by the lookup.
   */
  read(given: string | null): string | undefined;
  readonly invalid: ErrorBody;
  peek(lookup: RiskLookup, identifier: string): Scored<Assessment> | undefined;
  lookup(lookup: RiskLookup, identifier: string): Promise<Assessment>;
  /** JSON text of the answer. */
  textOf(identifier: string, assessment: Assessment): string;
}

export const KINDS: Readonly<Record<LookupType, LookupKind>> = {
  ip: {
    read: (given) => normalizeIp(given),
    invalid: INVALID_IP,
    peek: (lookup, ip) => lookup.peekIp?.(ip),
    lookup: (lookup, ip) => lookup.lookupIp(ip),
    textOf: ipText,
  },
  email: {
    read: (given) => given ?? undefined,
    invalid: INVALID_EMAIL,
    peek: (lookup, email) => lookup.peekEmail?.(email),
    lookup: (lookup, email) => lookup.lookupEmail(email),
    textOf: emailText,
  },
};
