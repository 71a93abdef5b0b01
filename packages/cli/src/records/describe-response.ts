/** Lists the addresses and accounts in the payload of a response; empty if it was erased. */
export function targetsOf(payload: Readonly<Record<string, unknown>>): readonly string[] {
  const { ips = [], user_identifiers: identifiers = [] } = (payload["properties"] ?? {}) as {
    readonly ips?: readonly { readonly ip_cidr: string }[];
    readonly user_identifiers?: readonly Readonly<Record<string, string>>[];
  };
  return [
    ...ips.map(({ ip_cidr }) => ip_cidr),
    ...identifiers.flatMap((one) => Object.entries(one).map(([name, value]) => `${name}=${value}`)),
  ];
}
