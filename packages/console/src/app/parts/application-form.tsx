import { type ReactNode, useState } from "react";
import type { Application } from "../administration.js";
import { call } from "../call.js";
import { Choices } from "./choices.js";
import { Field } from "./field.js";
import { Done, Trouble } from "./notice.js";
import { useAction } from "./use-action.js";
import { useVocabulary } from "./vocabulary.js";

const PAYLOAD_TYPES = ["security_event", "pulse", "security_response", "test"];

type Draft = Pick<
  Application,
  | "name"
  | "environment"
  | "kind"
  | "payloadTypes"
  | "eventKinds"
  | "incidentGenres"
  | "oneTypePerCall"
  | "maxBodyBytes"
> & { readonly webhookUrl: string; readonly destinations: string };

/** The settings of an application; the service checks them. */
export function ApplicationForm({ application }: { readonly application: Application }): ReactNode {
  const [draft, setDraft] = useState<Draft>(() => draftOf(application));
  const { eventKinds, incidentGenres } = useVocabulary();
  const save = useAction(() => {
    const { destinations, webhookUrl, ...settings } = draft;
    return call("PATCH", `/applications/${encodeURIComponent(application.id)}`, {
      ...settings,
      webhookUrl: webhookUrl.trim() === "" ? null : webhookUrl.trim(),
      allowedDestinations: destinations.split(/\s+/).filter((one) => one !== ""),
    });
  });
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    save.reset();
  };
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <h2>Settings</h2>
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
          <select
            value={draft.kind}
            onChange={({ target }) => change({ kind: target.value as Draft["kind"] })}
          >
            <option>ordinary</option>
            <option>sandbox</option>
          </select>
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
          Private networks that may be delivered to
          <input
            placeholder="none"
            value={draft.destinations}
            onChange={({ target }) => change({ destinations: target.value })}
          />
        </label>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.oneTypePerCall}
          onChange={({ target }) => change({ oneTypePerCall: target.checked })}
        />
        Payloads of one type in each delivery
      </label>
      <Choices
        title="Types that notify"
        words={PAYLOAD_TYPES}
        chosen={draft.payloadTypes}
        onChange={(payloadTypes) => change({ payloadTypes })}
      />
      <AllOrSome
        title="Kinds of events that notify"
        words={eventKinds}
        chosen={draft.eventKinds}
        onChange={(kinds) => change({ eventKinds: kinds })}
      />
      <AllOrSome
        title="Genres of incidents that notify"
        words={incidentGenres}
        chosen={draft.incidentGenres}
        onChange={(genres) => change({ incidentGenres: genres })}
      />
      <div className="row">
        <button type="submit" className="main" disabled={save.isPending}>
          Save
        </button>
      </div>
      {save.error && <Trouble error={save.error} />}
      {save.isSuccess && <Done>Saved.</Done>}
    </form>
  );
}

/** All words, also those that are added later, or some of them. */
function AllOrSome({
  title,
  words,
  chosen,
  onChange,
}: {
  readonly title: string;
  readonly words: readonly string[];
  readonly chosen: readonly string[] | null;
  readonly onChange: (chosen: readonly string[] | null) => void;
}): ReactNode {
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={chosen === null}
          onChange={({ target }) => onChange(target.checked ? null : words)}
        />
        {title}: all
      </label>
      {chosen !== null && (
        <Choices title={title} words={words} chosen={chosen} onChange={onChange} />
      )}
    </>
  );
}

function draftOf({ webhookUrl, allowedDestinations, ...application }: Application): Draft {
  const { name, environment, kind, payloadTypes, eventKinds, incidentGenres } = application;
  const { oneTypePerCall, maxBodyBytes } = application;
  return {
    name,
    environment,
    kind,
    payloadTypes,
    eventKinds,
    incidentGenres,
    oneTypePerCall,
    maxBodyBytes,
    webhookUrl: webhookUrl ?? "",
    destinations: allowedDestinations.join(" "),
  };
}
