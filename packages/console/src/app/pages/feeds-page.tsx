import type { ReactNode } from "react";
import { Button } from "../parts/button.js";
import { call, CallError } from "../call.js";
import { FeedAdvice } from "../parts/feed-advice.js";
import { FeedCoverage } from "../parts/feed-coverage.js";
import { FeedTable } from "../parts/feed-table.js";
import { Foreign } from "../parts/foreign.js";
import { ErrorPanel } from "../parts/error-panel.js";
import { Notice } from "../parts/notice.js";
import { Waiting } from "../parts/waiting.js";
import { Page } from "../parts/page.js";
import { Section } from "../parts/section.js";
import { Badge } from "../parts/badge.js";
import { latestOf, useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { countText } from "../shown-value.js";

export function FeedsPage(): ReactNode {
  const query = useAnswer("GET /feeds", {});
  const update = useAction(() => call("POST /feeds/update", {}));
  const reload = useAction(() => call("POST /feeds/reload", {}));
  const latest = latestOf(update, reload);
  return (
    <Page
      title="Feeds"
      about="Lists of networks and domains that scores are made from."
      actions={
        <>
          <Button look="main" disabled={update.isPending} onClick={() => update.mutate()}>
            Update now
          </Button>
          <Button disabled={reload.isPending} onClick={() => reload.mutate()}>
            Reload the files
          </Button>
        </>
      }
    >
      {latest.error && <ErrorPanel error={latest.error} />}
      {latest === update && isWithoutCopies(update.error) && query.data?.feeds.length !== 0 && (
        <p>
          <FeedAdvice />
        </p>
      )}
      {latest === reload && reload.data && <Reloaded count={reload.data.feeds.length} />}
      {latest === update && update.data && (
        <Section title="Update">
          {update.data.outcomes.length === 0 && (
            <p>No published list is configured, so nothing was updated.</p>
          )}
          <ul className="plain">
            {update.data.outcomes.map(({ name, state, reason }) => (
              <li key={name}>
                <Badge>{state}</Badge> <Foreign>{`${name} ${reason ?? ""}`}</Foreign>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Waiting query={query} />
      {query.data && (
        <>
          <FeedCoverage feeds={query.data.feeds} />
          <Section title="Lists">
            <FeedTable feeds={query.data.feeds} />
          </Section>
        </>
      )}
    </Page>
  );
}

function isWithoutCopies(error: unknown): boolean {
  return error instanceof CallError && error.status === 400;
}

function Reloaded({ count }: { readonly count: number }): ReactNode {
  if (count === 0) {
    return (
      <p className="notice warn" role="status">
        There are no files to load.
      </p>
    );
  }
  return <Notice tone="good">Reloaded: {countText(count, "feed")}.</Notice>;
}
