import { type ReactNode, useState } from "react";
import type { Application, IncidentGenre } from "@riskgate/api-types";
import { EVENT_KINDS, INCIDENT_GENRES, PAYLOAD_TYPES } from "@riskgate/core";
import { Button } from "./button.js";
import { call } from "../call.js";
import { CheckBox } from "./check-box.js";
import { Choices } from "./choices.js";
import { Field } from "./field.js";
import { ErrorPanel } from "./error-panel.js";
import { Notice } from "./notice.js";
import { Select } from "./select.js";
import { useAction } from "./use-action.js";
import { payloadText } from "../payload-text.js";
import { submitting } from "../submitting.js";

const GENRES = Object.keys(INCIDENT_GENRES) as readonly IncidentGenre[];

type Draft = Pick<
  Application,
  | "name"
  | "environment"
  | "kind"
  | "payloadTypes"
  | "eventKinds"
  | "incidentGenres"
  | "sharesReports"
  | "oneTypePerCall"
  | "maxBodyBytes"
> & { readonly webhookUrl: string; readonly destinations: string };

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

/** The settings of an application; the service checks them. */
export function ApplicationForm({ application }: { readonly application: Application }): ReactNode {
  const [draft, setDraft] = useState<Draft>(() => draftOf(application));
  const save = useAction(() => {
    const { destinations, webhookUrl, ...settings } = draft;
    return call("PATCH /applications/{id}", {
      parts: { id: application.id },
      body: {
        ...settings,
        webhookUrl: webhookUrl.trim() === "" ? null : webhookUrl.trim(),
        allowedDestinations: destinations.split(/\s+/).filter((one) => one !== ""),
      },
    });
  });
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    save.reset();
  };
  return (
    <form className="section" onSubmit={submitting(() => save.mutate())}>
      <h2>Settings</h2>
      <GeneralFields draft={draft} change={change} />
      <CheckBox
        title="Reports count in the scores of other applications; never those of a sandbox"
        checked={draft.sharesReports}
        onChange={(sharesReports) => change({ sharesReports })}
      />
      <DeliveryFields draft={draft} change={change} />
      <div className="row">
        <Button type="submit" look="main" disabled={save.isPending}>
          Save
        </Button>
      </div>
      {save.error && <ErrorPanel error={save.error} />}
      {save.isSuccess && <Notice tone="good">Saved.</Notice>}
    </form>
  );
}

function GeneralFields({ draft, change }: FieldsProps): ReactNode {
  return (
    <div className="columns">
      <Field title="Name">
        {(control) => (
          <input
            {...control}
            maxLength={128}
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <Field title="Environment">
        {(control) => (
          <input
            {...control}
            maxLength={64}
            value={draft.environment}
            onChange={({ target }) => change({ environment: target.value })}
          />
        )}
      </Field>
      <label>
        Kind
        <Select
          choices={["ordinary", "sandbox"]}
          value={draft.kind}
          onChange={(kind) => change({ kind })}
        />
      </label>
      <label>
        Webhook URL
        <input
          type="url"
          maxLength={2048}
          placeholder="none"
          value={draft.webhookUrl}
          onChange={({ target }) => change({ webhookUrl: target.value })}
        />
      </label>
      <Field title="Largest body in bytes">
        {(control) => (
          <input
            type="number"
            {...control}
            min={1000}
            max={1_000_000_000}
            value={draft.maxBodyBytes}
            onChange={({ target }) => change({ maxBodyBytes: target.valueAsNumber })}
          />
        )}
      </Field>
      <label>
        Private networks that may receive deliveries
        <input
          placeholder="none"
          value={draft.destinations}
          onChange={({ target }) => change({ destinations: target.value })}
        />
      </label>
    </div>
  );
}

function DeliveryFields({ draft, change }: FieldsProps): ReactNode {
  return (
    <>
      <CheckBox
        title="Only one payload type in each delivery"
        checked={draft.oneTypePerCall}
        onChange={(oneTypePerCall) => change({ oneTypePerCall })}
      />
      <Choices
        title="Delivered payload types"
        groups={[["", PAYLOAD_TYPES]]}
        nameOf={payloadText}
        chosen={draft.payloadTypes}
        onChange={(payloadTypes) => change({ payloadTypes })}
      />
      <AllOrSome
        title="Delivered kinds of events"
        words={EVENT_KINDS}
        chosen={draft.eventKinds}
        onChange={(kinds) => change({ eventKinds: kinds })}
      />
      <AllOrSome
        title="Delivered genres of incidents"
        words={GENRES}
        chosen={draft.incidentGenres}
        onChange={(genres) => change({ incidentGenres: genres })}
      />
    </>
  );
}

/** All words, including those that later versions add, or some of them. */
function AllOrSome<Word extends string>({
  title,
  words,
  chosen,
  onChange,
}: {
  readonly title: string;
  readonly words: readonly Word[];
  readonly chosen: readonly Word[] | null;
  readonly onChange: (chosen: readonly Word[] | null) => void;
}): ReactNode {
  return (
    <>
      <CheckBox
        title={`${title}: all`}
        checked={chosen === null}
        onChange={(isAll) => onChange(isAll ? null : words)}
      />
      {chosen !== null && (
        <Choices title={title} groups={[["", words]]} chosen={chosen} onChange={onChange} />
      )}
    </>
  );
}

function draftOf({ webhookUrl, allowedDestinations, ...application }: Application): Draft {
  const { name, environment, kind, payloadTypes, eventKinds, incidentGenres } = application;
  const { sharesReports, oneTypePerCall, maxBodyBytes } = application;
  return {
    name,
    environment,
    kind,
    payloadTypes,
    eventKinds,
    incidentGenres,
    sharesReports,
    oneTypePerCall,
    maxBodyBytes,
    webhookUrl: webhookUrl ?? "",
    destinations: allowedDestinations.join(" "),
  };
}
