import type { Deviation } from "../conformance/conformance-check.js";
import type { Expectation } from "../conformance/expectation.js";
import type { ProbeAnswer } from "../conformance/probe.js";
import { wordsOfAnswer } from "../conformance/words.js";

/** Judge an answer: what was expected and what came instead, or undefined where all is well. */
export type Verdict = (answer: ProbeAnswer) => Omit<Deviation, "sent"> | undefined;

/** The verdict that an expectation comes to. */
export function expecting({ words, holds }: Expectation): Verdict {
  return (answer) =>
    holds(answer) ? undefined : { expected: words, received: wordsOfAnswer(answer) };
}

/** One verdict after the other, up to the first that is not content. */
export function allOf(...verdicts: readonly Verdict[]): Verdict {
  return (answer) => {
    for (const verdict of verdicts) {
      const found = verdict(answer);
      if (found) return found;
    }
    return undefined;
  };
}

/** A certain status, or one of several. */
export function status(...wanted: readonly number[]): Verdict {
  return expecting({
    words: `status ${wanted.join(" or ")}`,
    holds: (answer) => answer.status !== undefined && wanted.includes(answer.status),
  });
}

/** The body as an object of JSON; undefined for anything else. */
export function objectOf({ text }: ProbeAnswer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** A body that is a JSON object. */
export const IS_OBJECT: Verdict = expecting({
  words: "a JSON object",
  holds: (answer) => objectOf(answer) !== undefined,
});
