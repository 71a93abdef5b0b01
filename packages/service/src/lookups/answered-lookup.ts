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

export interface ReceivedScore {
  readonly applicationId: string;
  /** The identifier as the application sent it. */
  readonly identifier: string;
  readonly score: number;
}

/** The service's response to a lookup. */
export interface LookupAnswer {
  readonly result: LookupResult;
  /** Undefined unless the result is `ok`. */
  readonly received?: ReceivedScore | undefined;
}

/** A lookup whose response was sent. */
export interface AnsweredLookup extends LookupAnswer {
  readonly type: LookupType;
  readonly durationMs: number;
}

/** Called with every answered lookup; cannot change the response. */
export type LookupObserver = (lookup: AnsweredLookup) => void;

/**
 * Returns the function that publishes an answered lookup to the observers. They run once for all
 * lookups in an event loop iteration, after the responses.
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
