import type { Deviation } from "../conformance/conformance-check.js";
import type { Expectation } from "../conformance/expectation.js";
import type { ProbeAnswer } from "../conformance/probe.js";
import { wordsOfAnswer } from "../conformance/words.js";

/** Compares a response with the expectation; undefined if it is met. */
export type Verdict = (answer: ProbeAnswer) => Omit<Deviation, "sent"> | undefined;

export function expecting({ words, holds }: Expectation): Verdict {
  return (answer) =>
    holds(answer) ? undefined : { expected: words, received: wordsOfAnswer(answer) };
}

export function allOf(...verdicts: readonly Verdict[]): Verdict {
  return (answer) => {
    for (const verdict of verdicts) {
      const found = verdict(answer);
      if (found) return found;
    }
    return undefined;
  };
}

export function status(...wanted: readonly number[]): Verdict {
  return expecting({
    words: `status ${wanted.join(" or ")}`,
    holds: (answer) => answer.status !== undefined && wanted.includes(answer.status),
  });
}

/** Returns the body as a JSON object; undefined for any other body. */
export function objectOf({ text }: ProbeAnswer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

export const IS_OBJECT: Verdict = expecting({
  words: "a JSON object",
  holds: (answer) => objectOf(answer) !== undefined,
});
