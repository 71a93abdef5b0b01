import { deepEqual, equal } from "node:assert/strict";
import type { Step } from "@riskgate/core/adapter";
import type { ContractCheck } from "../base/contract-check.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { gated, signUp } from "./sign-up.js";

const marking: Step = {
  name: "marking",
  weigh(context) {
    context.addHeader("x-step", "seen");
    context.addHeader("set-cookie", "device=1");
    context.addHeader("set-cookie", "visit=2");
  },
};

export const stepChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck(
    "GAT-24",
    "adds the headers of a step to a response that passes and to a refusal",
    async ({ serve }) => {
      const lookup = createFakeLookup({ "bad@shop.example": { risk_score: 95 } });
      const port = await serve(gated({ lookup, steps: [marking] }));
      for (const [email, status] of [
        ["ann@shop.example", 200],
        ["bad@shop.example", 403],
      ] as const) {
        const answer = await signUp(port, { email });
        equal(answer.status, status);
        equal(answer.header("x-step"), "seen");
        const cookies = answer.lines.filter(([name]) => name === "set-cookie");
        deepEqual(
          cookies.map(([, value]) => value),
          ["device=1", "visit=2"],
        );
      }
    },
  ),
];
