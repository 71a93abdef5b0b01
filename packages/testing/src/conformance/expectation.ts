import type { ProbeAnswer } from "./probe.js";

export interface Expectation {
  readonly words: string;
  readonly holds: (answer: ProbeAnswer) => boolean;
}

function isSuccess({ status = 0 }: ProbeAnswer): boolean {
  return status >= 200 && status <= 299;
}

/** Source: specification, Delivery rules, 2. */
export const ACCEPTED: Expectation = { words: "a status from 200 to 299", holds: isSuccess };

/** A connection that closes without a response is a refusal; a hanging one is not. */
export const REFUSED: Expectation = {
  words: "no status from 200 to 299, and no hang",
  holds: (answer) => answer.trouble !== "timeout" && !isSuccess(answer),
};

export const CLIENT_ERROR: Expectation = {
  words: "a status from 400 to 499",
  holds: ({ status = 0 }) => status >= 400 && status <= 499,
};

/** Checks only the form of a refusal; other rules check that the receiver refuses. */
export const REFUSED_WITH_401: Expectation = {
  words: "status 401, if it is refused",
  holds: (answer) => answer.status === 401 || isSuccess(answer),
};

/** Any outcome except a hang. */
export const ENDED: Expectation = {
  words: "an answer or a closed connection, and no hang",
  holds: ({ trouble }) => trouble !== "timeout",
};

export function acceptedWithin(ms: number): Expectation {
  return {
    words: `a status from 200 to 299 within ${ms} ms`,
    holds: (answer) => isSuccess(answer) && answer.elapsedMs <= ms,
  };
}
