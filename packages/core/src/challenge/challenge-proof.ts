import type { Awaitable } from "../model/awaitable.js";

/** Work that a client must do to pass a challenge. */
export interface ChallengeProof {
  /** Body member with the task in a response, and with the solution in the next request. */
  readonly member: string;
  /** Creates the task for a token: a value for JSON. A higher score should cost more. */
  create(issued: {
    readonly token: string;
    readonly expiresAt: Date;
    /** Score of the decision, 0 to 100; 0 without a score. */
    readonly score: number;
  }): Awaitable<object>;
  /** Returns true if a solution is right and belongs to the token. */
  verify(solution: unknown, token: string): Awaitable<boolean>;
}
