export const LOOKUP_TYPES = ["ip", "email"] as const;
export type LookupType = (typeof LOOKUP_TYPES)[number];

export const LOOKUP_RESULTS = [
  "ok",
  "bad_request",
  "unauthorized",
  "rate_limited",
  "failed",
  "sandbox_fault",
] as const;
export type LookupResult = (typeof LOOKUP_RESULTS)[number];

/** The score that an application received. */
export interface ReceivedScore {
  readonly applicationId: string;
  /** As the application sent it. */
  readonly identifier: string;
  readonly score: number;
}

/** How the service answered a lookup. */
export interface LookupAnswer {
  readonly result: LookupResult;
  /** Undefined unless the result is `ok`. */
  readonly received?: ReceivedScore | undefined;
}

/** A lookup whose answer was sent. */
export interface AnsweredLookup extends LookupAnswer {
  readonly type: LookupType;
  readonly durationMs: number;
}

/** Learns of every answered lookup; cannot change the answer. */
export type LookupObserver = (lookup: AnsweredLookup) => void;

/**
 * Returns the function that publishes an answered lookup. The observers run once for all lookups of
 * one turn of the event loop, after their answers.
 */
export function createLookupPublisher(observers: readonly LookupObserver[]): LookupObserver {
  let published: AnsweredLookup[] = [];
  const notify = (): void => {
    const lookups = published;
    published = [];
    for (const observe of observers) lookups.forEach(observe);
  };
  return (lookup) => {
    if (published.push(lookup) === 1) setImmediate(notify);
  };
}
