import type { ReactNode } from "react";
import { call, CallError } from "../call.js";
import { FeedAdvice } from "../parts/feed-advice.js";
import { FeedTable } from "../parts/feed-table.js";
import { Foreign } from "../parts/foreign.js";
import { Done, Trouble, Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { Tag } from "../parts/tag.js";
import { latestOf, useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { shownCount } from "../shown-value.js";

export function FeedsPage(): ReactNode {
  const query = useAnswer("GET /feeds", {});
  const update = useAction(() => call("POST /feeds/update", {}));
  const reload = useAction(() => call("POST /feeds/reload", {}));
  const latest = latestOf(update, reload);
  return (
    <Page
      title="Feeds"
      actions={
        <>
          <button
            type="button"
            className="main"
            disabled={update.isPending}
            onClick={() => update.mutate()}
          >
            Update now
          </button>
          <button type="button" disabled={reload.isPending} onClick={() => reload.mutate()}>
            Reload the files
          </button>
        </>
      }
    >
      {latest.error && <Trouble error={latest.error} />}
      {latest === update && isWithoutCopies(update.error) && query.data?.feeds.length !== 0 && (
        <p>
          <FeedAdvice />
        </p>
      )}
      {latest === reload && reload.data && <Reloaded count={reload.data.feeds.length} />}
      {latest === update && update.data && (
        <Panel title="Update">
          <ul className="plain">
            {update.data.outcomes.map(({ name, state, reason }) => (
              <li key={name}>
                <Tag>{state}</Tag> <Foreign>{`${name} ${reason ?? ""}`}</Foreign>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Waiting query={query} />
      {query.data && (
        <div className="panel">
          <FeedTable feeds={query.data.feeds} />
        </div>
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
  return <Done>Reloaded: {count === 1 ? "1 feed" : `${shownCount(count)} feeds`}.</Done>;
}
