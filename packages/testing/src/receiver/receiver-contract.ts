import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { contentChecks } from "./content-checks.js";
import { deliveryChecks } from "./delivery-checks.js";
import { forgeryChecks } from "./forgery-checks.js";
import type { ReceiverTarget } from "./receiver-target.js";
import { standardChecks } from "./standard-checks.js";
import { transportChecks } from "./transport-checks.js";

/**
 * Rules for a receiver of webhooks in any language, tested over HTTP. They send 251 requests with
 * about 5,200 signed payloads, 55 MB in all.
 */
export const receiverContract: readonly ConformanceCheck<ReceiverTarget>[] = [
  ...deliveryChecks,
  ...forgeryChecks,
  ...contentChecks,
  ...transportChecks,
  ...standardChecks,
];
