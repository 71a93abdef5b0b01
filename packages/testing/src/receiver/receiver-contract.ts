import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { contentChecks } from "./content-checks.js";
import { deliveryChecks } from "./delivery-checks.js";
import { forgeryChecks } from "./forgery-checks.js";
import type { ReceiverTarget } from "./receiver-target.js";
import { transportChecks } from "./transport-checks.js";

/**
 * What a receiver of webhooks must do, in whatever language it is written: judged by its answers
 * over HTTP. It sends 240 requests with about 5,200 signed payloads, 55 MB in all.
 */
export const receiverContract: readonly ConformanceCheck<ReceiverTarget>[] = [
  ...deliveryChecks,
  ...forgeryChecks,
  ...contentChecks,
  ...transportChecks,
];
