import type { ApplicationSettings, EventKind, IncidentGenre, Loose } from "@riskgate/api-types";
import { EVENT_KINDS, INCIDENT_GENRES, PAYLOAD_TYPES } from "@riskgate/core";
import type { Command } from "commander";
import type { AdminCommandOptions } from "../admin/admin-commands.js";
import { listOfNetworks, listOfWords, wholeNumber } from "../options/command-context.js";
import { httpUrl } from "../options/http-url.js";

export interface SettingOptions extends AdminCommandOptions {
  readonly name?: string;
  readonly environment?: string;
  readonly sandbox?: true;
  readonly shareReports?: boolean;
  readonly webhookUrl?: URL;
  readonly payloadType?: NonNullable<ApplicationSettings["payloadTypes"]>;
  readonly eventKind?: readonly EventKind[];
  readonly incidentGenre?: readonly IncidentGenre[];
  readonly oneTypePerCall?: true;
  readonly maxBodyBytes?: number;
  readonly maxDeliveriesPerMinute?: number;
  readonly allow?: readonly string[];
}

export function addSettings(command: Command): Command {
  return command
    .option("--environment <name>", "for example staging; default production")
    .option("--share-reports", "count its reports in the scores of other applications")
    .option("--no-share-reports", "count its reports only in its own scores; the default")
    .option("--webhook-url <url>", "URL that receives the deliveries", httpUrl)
    .option(
      "--payload-type <type>",
      `deliver only this type; repeatable: ${PAYLOAD_TYPES.join(", ")}`,
      listOfWords(PAYLOAD_TYPES),
    )
    .option(
      "--event-kind <kind>",
      "deliver only events of this kind; repeatable",
      listOfWords(EVENT_KINDS),
    )
    .option(
      "--incident-genre <genre>",
      "deliver only incidents of this genre; repeatable",
      listOfWords(Object.keys(INCIDENT_GENRES)),
    )
    .option("--one-type-per-call", "never mix payload types in one delivery")
    .option("--max-body-bytes <n>", "largest delivery", wholeNumber(1000, 1_000_000_000))
    .option(
      "--max-deliveries-per-minute <n>",
      "limit for the endpoint; 0 for none",
      wholeNumber(0, 60_000),
    )
    .option("--allow <cidr>", "also deliver to this private network; repeatable", listOfNetworks);
}

/** Converts options to settings for the administration API; a missing option changes nothing. */
export function settingsOf(options: SettingOptions): Loose<ApplicationSettings> {
  return {
    name: options.name,
    environment: options.environment,
    kind: options.sandbox && "sandbox",
    sharesReports: options.shareReports,
    webhookUrl: options.webhookUrl?.href,
    payloadTypes: options.payloadType,
    eventKinds: options.eventKind,
    incidentGenres: options.incidentGenre,
    oneTypePerCall: options.oneTypePerCall,
    maxBodyBytes: options.maxBodyBytes,
    maxDeliveriesPerMinute:
      options.maxDeliveriesPerMinute === 0 ? null : options.maxDeliveriesPerMinute,
    allowedDestinations: options.allow,
  };
}
