import type { Feed } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { FEED_KINDS, feedKindText } from "../feed-kind-text.js";
import { shownCount } from "../shown-value.js";

/** Number of entries of each kind of feed. */
export function FeedCoverage({ feeds }: { readonly feeds: readonly Feed[] }): ReactNode {
  return (
    <ul className="cards" aria-label="Coverage">
      {FEED_KINDS.map((kind) => {
        const own = feeds.filter((feed) => feed.kind === kind);
        const entries = own.reduce((sum, { size }) => sum + size, 0);
        return (
          <li key={kind} className={`card figure ${own.length === 0 ? "missing" : ""}`}>
            <strong>{own.length === 0 ? "none" : shownCount(entries)}</strong>
            <span>
              {feedKindText(kind)}
              {own.length > 1 && `, ${own.length} lists`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
