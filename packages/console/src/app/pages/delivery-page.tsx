import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import type { Attempt, Delivery, DeliveryRequest } from "@riskgate/api-types";
import { Button } from "../parts/button.js";
import { call } from "../call.js";
import { curlCommand } from "../curl-command.js";
import { deliveryText } from "../delivery-text.js";
import { visible } from "../foreign-text.js";
import { ApplicationLink, useApplications } from "../parts/applications.js";
import { CopyButton } from "../parts/copy-button.js";
import { type Column, RowList } from "../parts/row-list.js";
import { Code, Facts, Foreign, Json } from "../parts/foreign.js";
import { ErrorPanel } from "../parts/error-panel.js";
import { NextAttempt } from "../parts/next-attempt.js";
import { Waiting } from "../parts/waiting.js";
import { Page } from "../parts/page.js";
import { Section } from "../parts/section.js";
import { PayloadList, type RawPayload } from "../parts/payload-list.js";
import { Badge } from "../parts/badge.js";
import { Time } from "../parts/time.js";
import { notify } from "../parts/toasts.js";
import { useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { VerifyForm } from "../parts/verify-form.js";
import { shownBytes, shownCount } from "../shown-value.js";

const SENT_AGAIN = "The delivery is sent again, byte for byte.";

const REFRESH_MS = 2_000;

const ATTEMPTS: readonly Column<Attempt>[] = [
  { title: "Attempt", cell: ({ number }) => number },
  { title: "Started", cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: "Took", cell: ({ durationMs }) => `${durationMs} ms` },
  {
    title: "Answer",
    cell: ({ status, error }) => <Foreign>{String(status ?? error ?? "")}</Foreign>,
  },
  {
    title: "Response",
    grow: true,
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
  const applicationId = query.data?.delivery.applicationId;
  const name = useApplications()?.find((one) => one.id === applicationId)?.name;
  const again = useAction(() => call("POST /deliveries/{id}/retry", { parts }));
  const delivery = query.data?.delivery;
  const isFailed = delivery?.state === "dead" || delivery?.state === "cancelled";
  const command = request.data && curlCommand(request.data);
  return (
    <Page
      title={`Delivery${deliveryText(request.data?.body)}${name === undefined ? "" : ` for ${visible(name)}`}`}
      about={
        delivery && (
          <span className="row middle">
            <Badge>{delivery.state}</Badge>
            <span>
              to <ApplicationLink id={delivery.applicationId} />
            </span>
          </span>
        )
      }
      actions={
        delivery && (
          <>
            <Button
              look={isFailed ? "main" : "plain"}
              icon={RotateCw}
              disabled={again.isPending}
              onClick={() => again.mutate(undefined, { onSuccess: () => notify(SENT_AGAIN) })}
            >
              Send again
            </Button>
            {command !== undefined && <CopyButton text={command}>Copy as curl</CopyButton>}
          </>
        )
      }
    >
      {again.error && <ErrorPanel error={again.error} />}
      <Waiting query={query} />
      {delivery && (
        <div className="page-columns">
          <Section title="Attempts">
            <RowList
              label="Attempts"
              columns={ATTEMPTS}
              rows={query.data?.attempts ?? []}
              empty="None so far."
            />
          </Section>
          <Section title="Details">
            <Facts
              facts={[
                ["Created", <Time key="created" at={delivery.createdAt} />],
                ["Payloads", shownCount(delivery.payloadCount)],
                ["Size", shownBytes(delivery.bodyBytes)],
                ...(delivery.state === "pending"
                  ? [["Next attempt", <NextAttempt key="next" delivery={delivery} />] as const]
                  : []),
                ["Id", <code key="id">{delivery.id}</code>],
              ]}
            />
          </Section>
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
      <Section title="Payloads">
        <PayloadList payloads={payloads} />
      </Section>
      <Section title="Request">
        <p>
          <code>
            {method} <Foreign>{url ?? "no webhook URL"}</Foreign>
          </code>
        </p>
        <Facts facts={headers.map(({ name, value }) => [name, <Code key={name}>{value}</Code>])} />
        <details>
          <summary>Body, {shownBytes(delivery.bodyBytes)}</summary>
          <Json value={body} label="Body" />
        </details>
        <p className="dim">Signed with the secret that is in use now.</p>
      </Section>
      <details>
        <summary>Verify a signature</summary>
        <VerifyForm applicationId={delivery.applicationId} body={body} signature={signature} />
      </details>
    </>
  );
}
