import { receiverContract } from "@riskgate/testing";
import { describeReceiver, receiverPlan } from "../../../../tools/test/receiver-conformance.js";
import { webHarness } from "../web-harness.js";

describeReceiver("webhookRoute of Web standards", receiverContract, async (options) =>
  webHarness("Node").serve(receiverPlan(options)),
);
