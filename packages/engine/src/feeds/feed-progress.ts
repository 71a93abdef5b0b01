import type { RiskGateError } from "@riskgate/core";

/** How the update of one feed ended; the list in use before is kept unless it is `updated`. */
export type FeedOutcome =
  | { readonly name: string; readonly state: "unchanged"; readonly entries: number }
  | {
      readonly name: string;
      readonly state: "updated";
      readonly entries: number;
      readonly bytes: number;
    }
  | { readonly name: string; readonly state: "refused"; readonly error: RiskGateError };

/** What happens to one feed: it starts, receives any number of times, and has one outcome. */
export type FeedProgress =
  | { readonly name: string; readonly state: "started" }
  /** `bytes` of the decoded list so far. */
  | { readonly name: string; readonly state: "receiving"; readonly bytes: number }
  | FeedOutcome;
