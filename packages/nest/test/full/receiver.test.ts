import { receiverContract } from "@riskgate/testing";
import { describeReceiver, receiverPlan } from "../../../../tools/test/receiver-conformance.js";
import { expressHarness, fastifyHarness } from "../nest-harness.js";

for (const harness of [expressHarness, fastifyHarness]) {
  describeReceiver(`webhook of ${harness.name}`, receiverContract, async (options) =>
    harness.serve(receiverPlan(options)),
  );
}
