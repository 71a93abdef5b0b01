import type { Assessment, IpAssessment, RiskLookup, Scored } from "@riskgate/core";
import { normalizeIp } from "@riskgate/core/address";
import type { LookupType } from "../lookups/answered-lookup.js";
import { emailBody, ipBody } from "./assessment-body.js";
import { type ErrorBody, INVALID_EMAIL, INVALID_IP } from "./error-body.js";

export interface LookupKind {
  readonly invalid: ErrorBody;
  peek(lookup: RiskLookup, identifier: string): Scored<Assessment> | undefined;
  lookup(lookup: RiskLookup, identifier: string): Promise<Assessment>;
  bodyOf(identifier: string, assessment: Assessment): object;
}

export const KINDS: Readonly<Record<LookupType, LookupKind>> = {
  ip: {
    invalid: INVALID_IP,
    peek: (lookup, ip) => lookup.peekIp?.(ip),
    lookup: (lookup, ip) => lookup.lookupIp(ip),
    // The engine returns the normal form, which it computes anyway.
    bodyOf: (given, assessment: IpAssessment) =>
      ipBody(assessment.ip ?? normalizeIp(given)!, assessment),
  },
  email: {
    invalid: INVALID_EMAIL,
    peek: (lookup, email) => lookup.peekEmail?.(email),
    lookup: (lookup, email) => lookup.lookupEmail(email),
    bodyOf: emailBody,
  },
};
