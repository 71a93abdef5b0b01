/** Time limits in milliseconds. */
export interface PostgresTimes {
  /** Limit for connecting; default 5,000. */
  readonly connectMs: number;
  /** Limit for one statement, after which the server aborts it; default 10,000. */
  readonly statementMs: number;
  /** Further time for the response, after which the connection counts as lost; default 2,000. */
  readonly answerMs: number;
  /** Limit for waiting while other queries use the connection; default 5,000. */
  readonly queueMs: number;
  /** Pause between two attempts to connect; default 500. */
  readonly retryMs: number;
  /** Limit for a response that has a fallback; default 100. */
  readonly optionalAnswerMs: number;
}

export const TIMES: PostgresTimes = {
  connectMs: 5_000,
  statementMs: 10_000,
  answerMs: 2_000,
  queueMs: 5_000,
  retryMs: 500,
  optionalAnswerMs: 100,
};
