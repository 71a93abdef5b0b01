import { EVENT_KINDS, INCIDENT_GENRES, PAYLOAD_TYPES, RiskGateError } from "@riskgate/core";
import { parseCidr } from "@riskgate/core/address";
import { endpointUrlProblem } from "../../dispatch/endpoint-url.js";
import { MemberReader } from "../../events/member-reader.js";
import { APPLICATION_KINDS, type ApplicationSettings } from "../../storage/applications.js";

const MEMBERS: readonly (keyof ApplicationSettings)[] = [
  "name",
  "environment",
  "kind",
  "webhookUrl",
  "payloadTypes",
  "eventKinds",
  "incidentGenres",
  "oneTypePerCall",
  "maxBodyBytes",
  "allowedDestinations",
];

/** Room for any single payload of ours; and what an endpoint can hold in memory. */
const [MIN_BODY_BYTES, MAX_BODY_BYTES] = [1_000, 1_000_000_000];

const MAX_DESTINATIONS = 100;

const words = new Uint32Array(4);

/**
 * Reads settings of an application; the result has only those that are given.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT; the message says what was expected and does not show the value.
 */
export function readApplicationSettings(body: unknown): Partial<ApplicationSettings> {
  const reader = new MemberReader(body, "the body");
  const unknown = Object.keys(body as object).find((name) => !MEMBERS.some((one) => one === name));
  if (unknown !== undefined) {
    throw new RiskGateError(
      "INVALID_ARGUMENT",
      `the body must only have the settings ${MEMBERS.join(", ")}`,
    );
  }
  const isNull = (name: keyof ApplicationSettings): boolean =>
    (body as Partial<Record<string, unknown>>)[name] === null;
  return given({
    name: reader.text("name", 128),
    environment: reader.text("environment", 64),
    kind: reader.word("kind", APPLICATION_KINDS),
    webhookUrl: isNull("webhookUrl") ? null : readUrl(reader),
    payloadTypes: reader.words("payloadTypes", PAYLOAD_TYPES),
    eventKinds: isNull("eventKinds") ? null : reader.words("eventKinds", EVENT_KINDS),
    incidentGenres: isNull("incidentGenres")
      ? null
      : reader.words("incidentGenres", Object.keys(INCIDENT_GENRES)),
    oneTypePerCall: reader.flag("oneTypePerCall"),
    maxBodyBytes: reader.whole("maxBodyBytes", MIN_BODY_BYTES, MAX_BODY_BYTES),
    allowedDestinations: readNetworks(reader),
  });
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

function given<T extends object>(settings: T): Given<T> {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}

function readUrl(reader: MemberReader): string | undefined {
  const url = reader.value("webhookUrl");
  if (url === undefined) return undefined;
  const problem = endpointUrlProblem(url);
  return problem === undefined ? (url as string) : reader.refuse("webhookUrl", problem);
}

function readNetworks(reader: MemberReader): readonly string[] | undefined {
  const name = "allowedDestinations";
  if (reader.value(name) === undefined) return undefined;
  const list = reader.list(name, MAX_DESTINATIONS);
  const isNetwork = (value: unknown): value is string =>
    typeof value === "string" && parseCidr(value, words) !== undefined;
  return list.every(isNetwork) ? list : reader.refuse(name, "a list of addresses and CIDRs");
}
