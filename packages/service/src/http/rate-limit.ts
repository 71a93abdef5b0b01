/** How many lookups an application may make. */
export interface RateLimit {
  /** Lookups at once after a pause. */
  readonly burst: number;
  /** Lookups that it may make in the long run. */
  readonly perSecond: number;
}

/** What an application has left: tokens that are refilled with time. */
export interface TokenBucket {
  readonly tokens: number;
  /** When the tokens were counted, in milliseconds of a monotonic clock. */
  readonly atMs: number;
}

/** The result of taking a token. */
export interface Taken {
  readonly bucket: TokenBucket;
  /** 0 if there was one, else the time until there is. */
  readonly waitMs: number;
}

/** Takes a token out of a bucket; an application without a bucket starts with a full one. */
export function takeToken(
  { burst, perSecond }: RateLimit,
  bucket: TokenBucket | undefined,
  nowMs: number,
): Taken {
  const { tokens, atMs } = bucket ?? { tokens: burst, atMs: nowMs };
  const filled = Math.min(burst, tokens + ((nowMs - atMs) * perSecond) / 1000);
  if (filled >= 1) return { bucket: { tokens: filled - 1, atMs: nowMs }, waitMs: 0 };
  return {
    bucket: { tokens: filled, atMs: nowMs },
    waitMs: ((1 - filled) * 1000) / perSecond,
  };
}
