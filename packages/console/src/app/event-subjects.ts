type Payload = Readonly<Record<string, unknown>>;

/** The addresses in the payload of an event; none if it was erased. */
export function addressesIn(payload: Payload): readonly string[] {
  return membersOf(payload["ips"], "address");
}

/** The accounts in the payload of an event. */
export function accountsIn(payload: Payload): readonly string[] {
  return membersOf(payload["application_account_account_keys"], "value");
}

function membersOf(list: unknown, name: string): readonly string[] {
  if (!Array.isArray(list)) return [];
  const values = list.map((one: unknown) => (one as Record<string, unknown> | null)?.[name]);
  return [...new Set(values.filter((one) => typeof one === "string"))];
}
