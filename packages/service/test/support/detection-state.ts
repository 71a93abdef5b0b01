import type { DetectionContext } from "../../src/detection/detect.js";
import { DETECTION_DEFAULTS } from "../../src/detection/detection-settings.js";
import { composeEvent } from "../../src/detection/events/event.js";
import { readEvent } from "../../src/detection/events/read-event.js";
import type { WindowChange, Windows } from "../../src/detection/windows.js";
import type { Application } from "../../src/model/application.js";
import type { IntakeEvent } from "../../src/model/event.js";
import { START } from "./open-intake.js";

/** An application that wants everything. */
export const application: Application = {
  id: "5f1e7c0a9b3d4e2f8a6c1d70",
  name: "Shop",
  environment: "production",
  kind: "ordinary",
  sharesReports: false,
  webhookUrl: "https://hooks.example/",
  payloadTypes: ["security_event", "pulse", "security_response", "test"],
  eventKinds: null,
  incidentGenres: null,
  oneTypePerCall: false,
  maxBodyBytes: 1_000_000,
  allowedDestinations: [],
  maxDeliveriesPerMinute: null,
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  createdAt: START,
};

/** Circumstances of a detection, with the default settings. */
export const contextAt = (now: number): DetectionContext => ({
  application,
  now,
  settings: DETECTION_DEFAULTS,
  dashboardUrl: "https://dashboard.example",
});

/** An event as the intake composes it. */
export function composed(kind: string, now: number, email = "ada@x.y", ip = "8.8.8.8") {
  const keys = [{ name: "email", value: email }];
  const reported = { event_kind: kind, application_account_account_keys: keys, ips: [ip] };
  return composeEvent(readEvent(reported, now), {
    application,
    dashboardUrl: "https://dashboard.example",
    providerRules: true,
    locate: () => ({ geo: {}, isTor: false }),
  }) satisfies IntakeEvent;
}

/** Frozen windows that hold some values. */
export function windowsOf(changes: readonly WindowChange[] = []): Windows {
  const values = new Map(changes.map(({ map, key, value }) => [`${map}/${key}`, value]));
  return Object.freeze({ get: (map: string, key: string) => values.get(`${map}/${key}`) });
}
