import type { Service, ServiceOptions } from "@riskgate/service";

/**
 * Starts a service in this process. Its package is loaded on demand, because most commands do not
 * use it.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { createService } = await import("@riskgate/service");
  return createService(options);
}
