import { onTestFinished } from "vitest";
import { createRiskClient, type RiskClient } from "../../src/lookup/client.js";
import type { RiskClientOptions } from "../../src/lookup/client-options.js";

/** Recognisable in any text it must not appear in. */
export const API_KEY = "key-5ee9b1c2";

/** A client that is closed with the test. Its time is long, so that a busy machine is no time-out. */
export function openClient(
  upstream: { url: string },
  options: Partial<RiskClientOptions> = {},
): RiskClient {
  const client = createRiskClient({
    baseUrl: upstream.url,
    apiKey: API_KEY,
    timeoutMs: 30_000,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}
