import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Feed, FeedOutcome } from "../administration.js";
import { call } from "../call.js";
import { FeedTable } from "../parts/feed-table.js";
import { Foreign } from "../parts/foreign.js";
import { Done, Trouble, Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { Tag } from "../parts/tag.js";
import { useAction } from "../parts/use-action.js";

/** The lists of addresses and domains in use. */
export function FeedsPage(): ReactNode {
  const query = useQuery({
    queryKey: ["/feeds"],
    queryFn: async () => (await call<{ feeds: readonly Feed[] }>("GET", "/feeds")).feeds,
  });
  const update = useAction(
    async () =>
      (await call<{ outcomes: readonly FeedOutcome[] }>("POST", "/feeds/update", {})).outcomes,
  );
  const reload = useAction(() => call("POST", "/feeds/reload", {}));
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
            Load the files again
          </button>
        </>
      }
    >
      {update.error && <Trouble error={update.error} />}
      {reload.error && <Trouble error={reload.error} />}
      {reload.isSuccess && <Done>The files were loaded.</Done>}
      {update.data && (
        <Panel title="Update">
          <ul className="plain">
            {update.data.map(({ name, state, reason }) => (
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
          <FeedTable feeds={query.data} />
        </div>
      )}
    </Page>
  );
}
