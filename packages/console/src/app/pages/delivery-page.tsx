import type { ReactNode } from "react";
import type { Attempt, Delivery, DeliveryRequest } from "@riskgate/api-types";
import { call } from "../call.js";
import { curlCommand } from "../curl-command.js";
import { ApplicationLink } from "../parts/applications.js";
import { CopyButton } from "../parts/copy-button.js";
import { type Column, DataTable } from "../parts/data-table.js";
import { Code, Facts, Foreign, Json } from "../parts/foreign.js";
import { Done, Trouble, Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { PayloadList, type RawPayload } from "../parts/payload-list.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
import { latestOf, useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { VerifyForm } from "../parts/verify-form.js";
import { shortId, shownBytes } from "../shown-value.js";

const REFRESH_MS = 2_000;

const ATTEMPTS: readonly Column<Attempt>[] = [
  { title: "No.", cell: ({ number }) => number },
  { title: "Started", cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: "Took", cell: ({ durationMs }) => `${durationMs} ms` },
  {
    title: "Answer",
    cell: ({ status, error }) => <Foreign>{String(status ?? error ?? "")}</Foreign>,
  },
  {
    title: "Response",
    cell: ({ location, excerpt }) => (
      <>
        {location !== null && <Foreign>{`redirects to ${location} `}</Foreign>}
        <Code>{(excerpt ?? "").slice(0, 2_000)}</Code>
      </>
    ),
  },
];

export function DeliveryPage({ id }: { readonly id: string }): ReactNode {
  const parts = { id };
  const query = useAnswer(
    "GET /deliveries/{id}",
    { parts },
    { refetchInterval: ({ state }) => state.data?.delivery.state === "pending" && REFRESH_MS },
  );
  const request = useAnswer("GET /deliveries/{id}/request", { parts });
  const again = useAction(() => call("POST /deliveries/{id}/retry", { parts }));
  const delivery = query.data?.delivery;
  const test = useAction(() =>
    call("POST /applications/{id}/test", { parts: { id: delivery!.applicationId } }),
  );
  const latest = latestOf(again, test);
  const command = request.data && curlCommand(request.data);
  return (
    <Page
      title={`Delivery ${shortId(id)}`}
      actions={
        delivery && (
          <>
            <button
              type="button"
              className="main"
              disabled={again.isPending}
              onClick={() => again.mutate()}
            >
              Send again
            </button>
            <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
              Send a test
            </button>
            {command !== undefined && <CopyButton text={command}>Copy as curl</CopyButton>}
          </>
        )
      }
    >
      {latest.error && <Trouble error={latest.error} />}
      {latest === again && again.isSuccess && (
        <Done>The delivery is sent again, byte for byte.</Done>
      )}
      {latest === test && test.isSuccess && (
        <Done>A test is on its way, in a separate delivery.</Done>
      )}
      <Waiting query={query} />
      {delivery && (
        <div className="columns">
          <Panel title="Delivery">
            <Facts
              facts={[
                ["Id", <code key="id">{delivery.id}</code>],
                ["Application", <ApplicationLink key="app" id={delivery.applicationId} />],
                ["State", <Tag key="state">{delivery.state}</Tag>],
                ["Created", <Time key="created" at={delivery.createdAt} />],
                ["Payloads", `${delivery.payloadCount}, ${shownBytes(delivery.bodyBytes)}`],
                [
                  "Next attempt",
                  delivery.nextAttemptAt && <Time key="next" at={delivery.nextAttemptAt} />,
                ],
              ]}
            />
          </Panel>
          <Panel title="Attempts">
            <DataTable
              label="Attempts"
              columns={ATTEMPTS}
              rows={query.data?.attempts ?? []}
              empty="None so far."
            />
          </Panel>
        </div>
      )}
      {delivery && <Waiting query={request} />}
      {delivery && request.data && <RequestParts request={request.data} delivery={delivery} />}
    </Page>
  );
}

function RequestParts({
  request: { method, url, headers, body },
  delivery,
}: {
  readonly request: DeliveryRequest;
  readonly delivery: Delivery;
}): ReactNode {
  const signature = headers.find(({ name }) => name === "X-Service-Integrity")?.value ?? "";
  if (body === null) return <p className="dim">What was delivered has been erased.</p>;
  const payloads = JSON.parse(body) as readonly RawPayload[];
  return (
    <>
      <Panel title="Payloads">
        <PayloadList payloads={payloads} />
      </Panel>
      <Panel title="Request">
        <p>
          <code>
            {method} <Foreign>{url ?? "no webhook URL"}</Foreign>
          </code>
        </p>
        <Facts facts={headers.map(({ name, value }) => [name, <Code key={name}>{value}</Code>])} />
        <Json value={body} label="Body" />
        <p className="dim">Signed with the secret that signs at this moment.</p>
      </Panel>
      <VerifyForm applicationId={delivery.applicationId} body={body} signature={signature} />
    </>
  );
}
