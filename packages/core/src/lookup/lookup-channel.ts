import { channel, type DiagnosticChannel } from "../base/platform.js";
import type { ErrorCode } from "../base/errors.js";
import type { LookupType, Source } from "../model/assessment.js";

/** Message on the channel `riskgate:lookup`: one client lookup's result, without personal data. */
export interface LookupMessage {
  readonly type: LookupType;
  /** Source of the assessment, or the error code. */
  readonly result: Source | ErrorCode;
  readonly durationMs: number;
  /** Requests sent for this lookup and those that shared its call; 0 if none was needed. */
  readonly attempts: number;
}

export const lookupChannel: DiagnosticChannel<LookupMessage> = channel("riskgate:lookup");
