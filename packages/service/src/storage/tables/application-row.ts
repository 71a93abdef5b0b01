import { PAYLOAD_TYPES, type PayloadType } from "@riskgate/core";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Application, ApplicationSettings } from "../applications.js";
import type { ApplicationRow } from "../schema.js";

/** What an application is set to unless something else is said. */
export const APPLICATION_DEFAULTS: Omit<ApplicationSettings, "name"> = {
  environment: "production",
  kind: "ordinary",
  webhookUrl: null,
  payloadTypes: PAYLOAD_TYPES,
  eventKinds: null,
  oneTypePerCall: false,
  maxBodyBytes: 5 * 1024 * 1024,
  allowedDestinations: [],
};

type SettingColumns = Omit<Insertable<ApplicationRow>, "seq" | "id" | "created_at">;

/** Settings as columns. */
export function columnsOf(settings: ApplicationSettings): SettingColumns {
  return {
    name: settings.name,
    environment: settings.environment,
    kind: settings.kind,
    webhook_url: settings.webhookUrl,
    payload_types_json: JSON.stringify(settings.payloadTypes),
    event_kinds_json: settings.eventKinds && JSON.stringify(settings.eventKinds),
    one_type_per_call: settings.oneTypePerCall ? 1 : 0,
    max_body_bytes: settings.maxBodyBytes,
    allowed_destinations_json: JSON.stringify(settings.allowedDestinations),
  };
}

/** The columns of those settings that are given. */
export function changesOf(changes: Partial<ApplicationSettings>): Updateable<ApplicationRow> {
  const columns = columnsOf(changes as ApplicationSettings);
  // Of what is not given, only this column has a value all the same.
  if (changes.oneTypePerCall !== undefined) return columns;
  const { one_type_per_call: _, ...given } = columns;
  return given;
}

/** An application as it is kept. */
export function applicationOf(row: Selectable<ApplicationRow>): Application {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    kind: row.kind,
    webhookUrl: row.webhook_url,
    payloadTypes: JSON.parse(row.payload_types_json) as PayloadType[],
    eventKinds:
      row.event_kinds_json === null ? null : (JSON.parse(row.event_kinds_json) as string[]),
    oneTypePerCall: row.one_type_per_call === 1,
    maxBodyBytes: row.max_body_bytes,
    allowedDestinations: JSON.parse(row.allowed_destinations_json) as string[],
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  };
}
