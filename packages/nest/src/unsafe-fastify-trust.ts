/** Part of a Fastify request that is read. */
interface TrustingRequest {
  readonly ip: string;
  readonly server: object;
}

/**
 * The setting of Fastify that lets a client choose its own address, if there is one. Fastify does not
 * expose the setting, but the address of a made-up request shows which proxies it trusts.
 */
export function unsafeFastifyTrust(request: TrustingRequest): string | undefined {
  // No list holds these documentation addresses, and no count reaches so far.
  const headers = { "x-forwarded-for": `192.0.2.2${", 192.0.2.1".repeat(999)}` };
  const raw = { value: { headers, socket: { remoteAddress: "192.0.2.3" } } };
  const { ip } = Object.create(request, { raw }) as TrustingRequest;
  if (ip === "192.0.2.2") return "Fastify trusts every proxy (`trustProxy`)";
  // Early releases of Fastify 5, and Fastify 4, do count.
  const isIgnored = ip === "192.0.2.3" && typeof trustProxyOf(request.server) === "number";
  return isIgnored ? "Fastify ignores a number as `trustProxy`" : undefined;
}

/** A number and a list have the same effect here, and `initialConfig` leaves this option out. */
function trustProxyOf(app: object): unknown {
  for (let at: object | null = app; at; at = Object.getPrototypeOf(at) as object | null) {
    const symbols = Object.getOwnPropertySymbols(at);
    const key = symbols.find(({ description }) => description === "fastify.options");
    if (key) return (at as Record<symbol, { trustProxy?: unknown }>)[key]?.trustProxy;
  }
  return undefined;
}
