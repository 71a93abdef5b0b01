import type { SecurityResponse } from "@riskgate/core";
import { formatTimestamp } from "@riskgate/core/payloads";
import type { Application } from "../../model/application.js";
import type { Instant } from "../../model/instant.js";
import { randomId } from "../../model/random-id.js";
import type { LoadedPlaybook, PlaybookResponse } from "../../model/playbook.js";

export type CompleteResponse = SecurityResponse & {
  readonly service_payload_type: "security_response";
  readonly id: string;
};

/** A playbook, or an operator in its place. */
type Responder = Pick<LoadedPlaybook, "id" | "name"> & {
  readonly response: Pick<PlaybookResponse, "durationMs">;
};

/**
 * Creates the payload of a response. Source: specification, Security response. `duration_seconds` is
 * our addition, which `blockList.apply` in core uses.
 */
export function securityResponse(
  playbook: Responder,
  application: Pick<Application, "id" | "name" | "environment">,
  named: NamedTargets,
  now: Instant,
): CompleteResponse {
  const { id, name, environment } = application;
  return {
    id: randomId(),
    service_payload_type: "security_response",
    date_created: formatTimestamp(now),
    application: { name, environment, id },
    properties: {
      ips: named.networks.map((ip_cidr) => ({ ip_cidr })),
      user_identifiers: named.identifiers,
      duration_seconds: Math.ceil(playbook.response.durationMs / 1000),
    },
    playbook: { name: playbook.name, id: playbook.id },
  };
}

export interface NamedTargets {
  readonly networks: readonly string[];
  /** Account identifiers, each an object with one member, such as `{ email: "ada@shop.example" }`. */
  readonly identifiers: readonly Readonly<Record<string, string>>[];
}
