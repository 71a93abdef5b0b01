import { deepEqual, equal } from "node:assert/strict";
import { createAttackMode, createDevices, type Decision } from "@riskgate/core";
import type { ContractCheck } from "../base/contract-check.js";
import { createFakeLookup } from "../fake/fake-lookup.js";
import { adapterCheck } from "./adapter-check.js";
import type { AdapterHarness } from "./adapter-harness.js";
import { gated, signUp } from "./sign-up.js";

const ANN = "ann@shop.example";
const MINIMUM = 3;

/** Checks of attack mode. */
export const attackChecks: readonly ContractCheck<AdapterHarness>[] = [
  adapterCheck(
    "ATK-01",
    "challenges logins from new devices during an attack, and counts each once",
    async ({ serve }) => {
      const decisions: Decision[] = [];
      const device = createDevices({ secrets: "device-secret-of-at-least-32-bytes" });
      const headers = new Headers();
      await device.remember(headers, ANN);
      const cookie = headers.getSetCookie().join().split(";", 1).join("");
      const attackMode = createAttackMode({ minimum: MINIMUM });
      const options = {
        lookup: createFakeLookup(),
        device,
        attackMode,
        challenge: { secrets: "challenge-secret-of-at-least-32-bytes" },
        verifyChallenge: () => false,
        onDecision: (decision: Decision) => void decisions.push(decision),
      };
      const [plan] = gated(options).gates;
      const port = await serve({ gates: [{ ...plan, twice: true }] });
      for (let index = 0; index < MINIMUM; index++) {
        equal((await signUp(port, { email: `user${index}@shop.example` })).status, 200);
      }
      decisions.length = 0;
      equal((await signUp(port, { email: ANN })).status, 403);
      equal((await signUp(port, { email: ANN, more: [["Cookie", cookie]] })).status, 200);
      deepEqual(
        decisions.map(({ outcome, because, attack }) => [outcome, because, attack?.failures]),
        [
          ["challenge", "attack_mode", MINIMUM + 1],
          ["allow", "score", undefined],
          ["allow", "score", undefined],
        ],
      );
    },
  ),
];
