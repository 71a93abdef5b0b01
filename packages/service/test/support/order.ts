import type { AttemptOrder } from "../../src/dispatch/attempt.js";
import { createSystemResolve } from "@riskgate/core/address";
import { parseEndpointUrl } from "../../src/dispatch/endpoint-url.js";

/** An attempt that may go to this machine. */
export function orderTo(url: string, changes: Partial<AttemptOrder> = {}): AttemptOrder {
  return {
    url: parseEndpointUrl(url)!,
    body: Buffer.from('[{"service_payload_type":"test"}]'),
    secrets: ["hook-secret-1"],
    deliveryId: "d-1",
    epochMs: Date.now(),
    isPermitted: () => true,
    resolve: createSystemResolve(),
    timeoutMs: 30_000,
    ...changes,
  };
}
