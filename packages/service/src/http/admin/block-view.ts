import type { Block as BlockView } from "@riskgate/api-types";
import { formatTimestamp } from "@riskgate/core/payloads";
import type { Block } from "../../operator/blocks.js";

/** Returns a block as sent by the administration API. */
export function blockView(block: Block): BlockView {
  const { applicationId, type, target, since, until, responseId, playbook } = block;
  return {
    applicationId,
    type,
    target,
    responseId,
    playbook,
    since: formatTimestamp(since),
    until: formatTimestamp(until),
  };
}
