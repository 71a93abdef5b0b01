import type { EmailAssessment, IpAssessment } from "./assessment.js";

/** Assessment flags, as spelled on the wire. */
export const WIRE_FLAGS = [
  "is_known_attacker",
  "is_datacenter",
  "is_vpn",
  "is_proxy",
  "is_private",
  "is_tor",
  "is_disposable",
  "is_email_malformed",
  "is_email_harmful",
  "is_forwarding",
  "is_undeliverable",
] as const;

export type WireFlag = (typeof WIRE_FLAGS)[number];

type NameOf<Flag extends string> = Flag extends `is_email_${infer Name}`
  ? Name
  : Flag extends `is_${infer Name}`
    ? Name
    : never;

/** Short name of a flag: `tor` for `is_tor`, `malformed` for `is_email_malformed`. */
export type FlagName = NameOf<WireFlag>;

const WIRE_FLAG_OF = new Map(
  WIRE_FLAGS.map((flag) => [flag.replace(/^is_(?:email_)?/, "") as FlagName, flag]),
);

export const FLAG_NAMES: readonly FlagName[] = [...WIRE_FLAG_OF.keys()];

/** Returns the wire spelling of a flag in either spelling. */
export function wireFlagOf(flag: FlagName | WireFlag): WireFlag {
  return WIRE_FLAG_OF.get(flag as FlagName) ?? (flag as WireFlag);
}

/** Returns true if either assessment has a flag, and undefined if neither contains it. */
export function flagIn(
  {
    ip,
    email,
  }: {
    readonly ip?: IpAssessment | undefined;
    readonly email?: EmailAssessment | undefined;
  },
  flag: WireFlag,
): boolean | undefined {
  const [ofIp, ofEmail] = [ip?.[flag], email?.[flag]];
  if (ofIp === true || ofEmail === true) return true;
  return ofIp === false || ofEmail === false ? false : undefined;
}
