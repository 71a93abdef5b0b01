import type { EvidencePair, Fact } from "./decision.js";

/** Everything that a step may judge by: a rehearsal judges again by the same. */
export interface Judged {
  readonly evidence: EvidencePair;
  /**
   * Highest score with the points of velocity, 0 to 100; null without a score. Points of subjects that
   * others can fill (`evidence.velocity.sharedAdds`) raise it up to `rejectAbove`.
   */
  readonly score: number | null;
  /** Facts that steps have read from the request, by name. */
  readonly facts: Readonly<Record<string, string>>;
  readonly email: Fact;
  /** Path of the request, with or without its query. */
  readonly path: string | undefined;
}
