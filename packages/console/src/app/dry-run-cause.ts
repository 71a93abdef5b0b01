import type { PlaybookRule, RecordedResponse } from "@riskgate/api-types";

/** Application and rule of a dry run. */
export interface DryRunCause {
  readonly applicationId: string;
  readonly rule: PlaybookRule;
}

const DEFAULT_WINDOW_MS = 600_000;

/** Reports and responses read the clock one after the other. */
const TOLERANCE_MS = 1_000;

/** Returns the list of the events, or incidents, that made a playbook respond. */
export function causePath(
  { createdAt, payload }: Pick<RecordedResponse, "createdAt" | "payload">,
  { applicationId, rule }: DryRunCause,
): string {
  const atMs = Date.parse(createdAt);
  const query = new URLSearchParams({ applicationId });
  if (rule.genres) return `/incidents?${query.toString()}`;
  const { ips = [], user_identifiers: identifiers = [] } = (payload["properties"] ?? {}) as {
    readonly ips?: readonly { readonly ip_cidr: string }[];
    readonly user_identifiers?: readonly Readonly<Record<string, string>>[];
  };
  if (rule.kinds?.length === 1) query.set("kind", rule.kinds[0]!);
  const address = ips.length === 1 ? /^([\d.]+)\/32$/.exec(ips[0]!.ip_cidr)?.[1] : undefined;
  const account =
    ips.length === 0 && identifiers.length === 1 ? Object.values(identifiers[0]!)[0] : undefined;
  if (address !== undefined) query.set("ip", address);
  else if (account !== undefined) query.set("account", account);
  const windowMs = rule.kinds ? (rule.windowMs ?? DEFAULT_WINDOW_MS) : DEFAULT_WINDOW_MS;
  query.set("since", new Date(atMs - windowMs - TOLERANCE_MS).toISOString());
  query.set("until", new Date(atMs + TOLERANCE_MS).toISOString());
  return `/events?${query.toString()}`;
}
