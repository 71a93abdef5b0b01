import { type Assessment, type IpAssessment, type RiskLookup, type Scored } from "@riskgate/core";
import { normalizeIp } from "@riskgate/core/address";
import { emailText, ipText } from "./assessment-text.js";
import { type ErrorBody, INVALID_EMAIL, INVALID_IP } from "./error-body.js";
import type { LookupType } from "./metrics.js";

/** What differs between the two lookups. */
export interface LookupKind {
  /** Why a lookup refuses an identifier. */
  readonly invalid: ErrorBody;
  peek(lookup: RiskLookup, identifier: string): Scored<Assessment> | undefined;
  lookup(lookup: RiskLookup, identifier: string): Promise<Assessment>;
  /** JSON text of the answer. */
  textOf(identifier: string, assessment: Assessment): string;
}

export const KINDS: Readonly<Record<LookupType, LookupKind>> = {
  ip: {
    invalid: INVALID_IP,
    peek: (lookup, ip) => lookup.peekIp?.(ip),
    lookup: (lookup, ip) => lookup.lookupIp(ip),
    // A lookup tells the normal form, which it has made anyway.
    textOf: (given, assessment: IpAssessment) =>
      ipText(assessment.ip ?? normalizeIp(given)!, assessment),
  },
  email: {
    invalid: INVALID_EMAIL,
    peek: (lookup, email) => lookup.peekEmail?.(email),
    lookup: (lookup, email) => lookup.lookupEmail(email),
    textOf: emailText,
  },
};
