import { receiverContract } from "@riskgate/testing";
import { describeReceiver, receiverPlan } from "../../../../tools/test/receiver-conformance.js";
import { honoHarness } from "../hono-harness.js";

describeReceiver("webhookRoute of Hono", receiverContract, async (options) =>
  honoHarness.serve(receiverPlan(options)),
);
