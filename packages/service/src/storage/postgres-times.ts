/** How long things may take, in milliseconds. */
export interface PostgresTimes {
  /** To connect; default 5,000. */
  readonly connectMs: number;
  /** One statement, after which the server gives it up; default 10,000. */
  readonly statementMs: number;
  /** Beyond that, for the answer to arrive; then the connection counts as lost. Default 2,000. */
  readonly answerMs: number;
  /** Waiting for the connection while others use it; default 5,000. */
  readonly queueMs: number;
  /** Between two attempts to connect; default 500. */
  readonly retryMs: number;
  /** Waiting for an answer that can be done without; default 100. */
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
