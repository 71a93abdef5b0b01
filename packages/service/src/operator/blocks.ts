import { blockKeyOf } from "../detection/playbooks/block-windows.js";
import type { Instant } from "../model/instant.js";
import { networkOf } from "../model/network.js";
import type { StoredResponse } from "../model/playbook.js";
import type { Subject } from "../model/subject.js";

/** A network or an account that an application rejects because of a security response. */
export interface Block {
  readonly applicationId: string;
  readonly type: "network" | "account";
  /** A CIDR, or an account identifier. */
  readonly target: string;
  /** The identifier as the response names it; undefined for a network. */
  readonly identifier: Readonly<Record<string, string>> | undefined;
  readonly since: Instant;
  readonly until: Instant;
  readonly responseId: string;
  readonly playbook: { readonly id: string; readonly name: string };
}

interface ResponsePayload {
  readonly properties?: {
    readonly ips?: readonly { readonly ip_cidr: string }[];
    readonly user_identifiers?: readonly Readonly<Record<string, string>>[];
    readonly duration_seconds?: number;
  };
  readonly playbook?: { readonly id: string; readonly name: string };
}

/**
 * Returns the blocks in force. As in an application's block list, the newest response that names a
 * target decides until when it is blocked; a release is a response of one second.
 *
 * @param responses Newest first.
 */
export function blocksIn(responses: readonly StoredResponse[], now: Instant): readonly Block[] {
  const seen = new Set<string>();
  return responses.flatMap((response) =>
    targetsOf(response).filter((block) => {
      const key = `${block.applicationId}/${keyOf(block)}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return block.until > now;
    }),
  );
}

/** Returns a test for whether a block or the target of a response concerns a subject. */
export function concerns({ type, subject }: Subject): (block: Block) => boolean {
  const keys =
    type === "account"
      ? [blockKeyOf("account", subject)]
      : ([64, 128] as const).map((prefix) => blockKeyOf("network", networkOf(subject, prefix)));
  return (block) => keys.includes(keyOf(block));
}

/** Returns everything that a response blocks; nothing if it was erased. */
export function targetsOf(response: StoredResponse): readonly Block[] {
  const { id: responseId, applicationId, playbookId, createdAt: since, endsAt } = response;
  const { properties = {}, playbook } = response.payload as ResponsePayload;
  const seconds = properties.duration_seconds;
  const block = {
    applicationId,
    responseId,
    since,
    // A release ends at once; it lasts a second only because block lists accept no less.
    until: seconds === undefined ? endsAt : since + (seconds > 1 ? seconds * 1_000_000 : 0),
    playbook: { id: playbookId, name: playbook?.name ?? "" },
  };
  const { ips = [], user_identifiers: identifiers = [] } = properties;
  return [
    ...ips.map(({ ip_cidr: target }) => ({
      ...block,
      type: "network" as const,
      target,
      identifier: undefined,
    })),
    ...identifiers.flatMap((identifier) =>
      Object.values(identifier).map((target) => ({
        ...block,
        type: "account" as const,
        target,
        identifier,
      })),
    ),
  ];
}

function keyOf({ type, target }: Block): string {
  return blockKeyOf(type, target);
}
