import type { ContractCheck } from "../contract-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { bodyChecks } from "./body-checks.js";
import { contentChecks } from "./content-checks.js";
import { handlerChecks } from "./handler-checks.js";
import { headChecks } from "./head-checks.js";
import { signatureChecks } from "./signature-checks.js";

/** What an adapter must do, over real sockets. */
export const adapterContract: readonly ContractCheck<AdapterHarness>[] = [
  ...signatureChecks,
  ...headChecks,
  ...bodyChecks,
  ...contentChecks,
  ...handlerChecks,
];
