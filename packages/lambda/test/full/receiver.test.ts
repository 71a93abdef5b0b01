import { receiverContract } from "@riskgate/testing";
import { describeReceiver, receiverPlan } from "../../../../tools/test/receiver-conformance.js";
import { KINDS } from "../lambda-bridge.js";
import { lambdaHarness } from "../lambda-harness.js";

// A body that never ends never reaches a function: the gateway gives it up.
const contract = receiverContract.filter(({ id }) => id !== "RCV-33");

for (const kind of KINDS) {
  describeReceiver(`webhookRoute of Lambda, ${kind}`, contract, async (options) =>
    lambdaHarness(kind).serve(receiverPlan(options)),
  );
}
