import type { RiskGateError } from "@riskgate/core";

/** Outcome of one feed's update; the previous list stays in use unless it is `updated`. */
export type FeedOutcome =
  | { readonly name: string; readonly state: "unchanged"; readonly entries: number }
  | {
      readonly name: string;
      readonly state: "updated";
      readonly entries: number;
      readonly bytes: number;
    }
  | { readonly name: string; readonly state: "refused"; readonly error: RiskGateError };

/** Progress of one feed: `started`, any number of `receiving`, then one outcome. */
export type FeedProgress =
  | { readonly name: string; readonly state: "started" }
  /** Decoded bytes received so far. */
  | { readonly name: string; readonly state: "receiving"; readonly bytes: number }
  | FeedOutcome;
