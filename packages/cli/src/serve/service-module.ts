import type { Service, ServiceOptions } from "@riskgate/service";

/** Start a service in this process. It is loaded only now: most commands do without. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { createService } = await import("@riskgate/service");
  return createService(options);
}
