import { EVENT_KINDS, INCIDENT_GENRES, PAYLOAD_TYPES } from "@riskgate/core";
import type { IncidentGenre } from "@riskgate/core/payloads";
import { parseCidr } from "@riskgate/core/address";
import { endpointUrlProblem } from "../../dispatch/endpoint-url.js";
import { MemberReader } from "../../detection/events/member-reader.js";
import { APPLICATION_KINDS, type ApplicationSettings } from "../../model/application.js";

/** The minimum fits any single payload; the maximum fits into an endpoint's memory. */
const [MIN_BODY_BYTES, MAX_BODY_BYTES] = [1_000, 1_000_000_000];

const MAX_DESTINATIONS = 100;

const GENRES = Object.keys(INCIDENT_GENRES) as readonly IncidentGenre[];

const words = new Uint32Array(4);

/**
 * Reads application settings; the result contains only those in the body.
 *
 * @throws {RiskGateError} INVALID_ARGUMENT; the message names the expected value, but does not show
 * the given one.
 */
export function readApplicationSettings(body: unknown): Partial<ApplicationSettings> {
  const reader = new MemberReader(body, "the body");
  const orNull = <T>(name: keyof ApplicationSettings, value: T | undefined): T | null | undefined =>
    value ?? (reader.isNull(name) ? null : undefined);
  const settings = {
    name: reader.line("name", 128),
    environment: reader.line("environment", 64),
    kind: reader.word("kind", APPLICATION_KINDS),
    sharesReports: reader.flag("sharesReports"),
    webhookUrl: orNull("webhookUrl", readUrl(reader)),
    payloadTypes: reader.words("payloadTypes", PAYLOAD_TYPES),
    eventKinds: orNull("eventKinds", reader.words("eventKinds", EVENT_KINDS)),
    incidentGenres: orNull("incidentGenres", reader.words("incidentGenres", GENRES)),
    oneTypePerCall: reader.flag("oneTypePerCall"),
    maxBodyBytes: reader.whole("maxBodyBytes", MIN_BODY_BYTES, MAX_BODY_BYTES),
    maxDeliveriesPerMinute: orNull(
      "maxDeliveriesPerMinute",
      reader.whole("maxDeliveriesPerMinute", 1, 60_000),
    ),
    allowedDestinations: readNetworks(reader),
  };
  reader.refuseOthers();
  return given(settings);
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
