import type { EvidencePair, Fact } from "./decision.js";

/** Everything that a step may evaluate; a rehearsal evaluates the same data. */
export interface Judged {
  readonly evidence: EvidencePair;
  /**
   * Highest score including velocity points, 0 to 100; null without a score. Points of subjects
   * that others can fill (`evidence.velocity.sharedAdds`) raise it up to `rejectAbove`.
   */
  readonly score: number | null;
  readonly facts: Readonly<Record<string, string>>;
  readonly email: Fact;
  readonly path: string | undefined;
  /** Request headers by name in lower case; undefined outside a route, and in a rehearsal. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}
