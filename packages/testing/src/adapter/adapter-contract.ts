import type { ContractCheck } from "../base/contract-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { addressChecks } from "./address-checks.js";
import { attackChecks } from "./attack-checks.js";
import { bodyChecks } from "./body-checks.js";
import { challengeChecks } from "./challenge-checks.js";
import { challengeFaultChecks } from "./challenge-fault-checks.js";
import { contentChecks } from "./content-checks.js";
import { deviceChecks } from "./device-checks.js";
import { handlerChecks } from "./handler-checks.js";
import { headChecks } from "./head-checks.js";
import { hookChecks } from "./hook-checks.js";
import { lifeChecks } from "./life-checks.js";
import { loginChecks } from "./login-checks.js";
import { outageChecks } from "./outage-checks.js";
import { parityChecks } from "./parity-checks.js";
import { scoreChecks } from "./score-checks.js";
import { signatureChecks } from "./signature-checks.js";
import { stepChecks } from "./step-checks.js";
import { streamChecks } from "./stream-checks.js";
import { velocityChecks } from "./velocity-checks.js";

/** Rules for an adapter, over real sockets. */
export const adapterContract: readonly ContractCheck<AdapterHarness>[] = [
  ...signatureChecks,
  ...headChecks,
  ...bodyChecks,
  ...streamChecks,
  ...contentChecks,
  ...handlerChecks,
  ...scoreChecks,
  ...addressChecks,
  ...outageChecks,
  ...hookChecks,
  ...stepChecks,
  ...challengeChecks,
  ...challengeFaultChecks,
  ...loginChecks,
  ...velocityChecks,
  ...deviceChecks,
  ...attackChecks,
  ...parityChecks,
  ...lifeChecks,
];
