import type { DiagnosticChannel } from "../base/diagnostic-channel.js";
import { channel } from "../base/platform.js";
import type { ErrorCode } from "../base/errors.js";
import type { LookupType, Source } from "../model/assessment.js";

/** Message on the channel `riskgate:lookup`: how one lookup of a client ended, without personal data. */
export interface LookupMessage {
  readonly type: LookupType;
  /** Where the answer came from, or the code of the error. */
  readonly result: Source | ErrorCode;
  readonly durationMs: number;
  /** Requests sent, for this lookup and those that shared its call; 0 without a request. */
  readonly attempts: number;
}

/** The channel `riskgate:lookup`. */
export const lookupChannel: DiagnosticChannel<LookupMessage> = channel("riskgate:lookup");
