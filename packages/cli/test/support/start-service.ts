import { createService, type Service } from "@riskgate/service";
import { onTestFinished } from "vitest";
import { type AdminClient, createAdminClient } from "../../src/admin/admin-client.js";

/** A service in this process, for the length of the test at most. */
export interface StartedService {
  readonly service: Service;
  readonly url: string;
  readonly client: AdminClient;
  /** Environment of a command that administers it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Start a service on a data directory. */
export async function startService(dataDir: string): Promise<StartedService> {
  const adminToken = "administration-token-1";
  const service = await createService({ dataDir, adminToken });
  onTestFinished(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  return {
    service,
    url,
    client: createAdminClient(new URL(adminUrl), adminToken),
    env: { RISKGATE_ADMIN_URL: adminUrl, RISKGATE_ADMIN_TOKEN: adminToken },
  };
}
