import { receiverContract } from "@riskgate/testing";
import { describeReceiver, receiverPlan } from "../../../../tools/test/receiver-conformance.js";
import { nextHarness } from "../next-harness.js";

describeReceiver("webhookRoute of Next.js", receiverContract, async (options) =>
  nextHarness.serve(receiverPlan(options)),
);
