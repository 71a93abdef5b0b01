import { randomUUID } from "node:crypto";
import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { ACCEPTED, REFUSED } from "../conformance/expectation.js";
import type { DeliveryKit } from "./delivery-kit.js";
import { receiverCheck } from "./receiver-check.js";
import type { ReceiverTarget } from "./receiver-target.js";

const DAY_MS = 86_400_000;

/** Rules for the headers of Standard Webhooks that a delivery has beside its signature. */
export const standardChecks: readonly ConformanceCheck<ReceiverTarget>[] = [
  receiverCheck({
    id: "RCV-34",
    level: "must",
    title: "accepts the headers of Standard Webhooks beside the signature",
    remedy: "Skip headers that you do not verify, and any one of several signatures may match",
    expected: ACCEPTED,
    probes: ({ make, standard }) => {
      const body = [make.test()];
      const other = `v1,${Buffer.alloc(32).toString("base64")}`;
      return [
        standard("all three headers", body),
        standard("another signature in front", body, { sign: (good) => `${other} ${good}` }),
        standard("a signature of an unknown version in front", body, {
          sign: (good) => `v9,x ${good}`,
        }),
        standard("the same delivery, signed four minutes ago", body, {
          date: new Date(Date.now() - 240_000),
        }),
      ];
    },
  }),
  receiverCheck({
    id: "RCV-35",
    level: "should",
    title: "refuses a wrong signature of Standard Webhooks beside the right digest",
    remedy: "Verify `webhook-signature` over id, timestamp and body, if the delivery has one",
    expected: REFUSED,
    probes: altered,
  }),
  receiverCheck({
    id: "RCV-36",
    level: "should",
    title: "refuses a delivery whose signed time is far from now",
    remedy: "Compare `webhook-timestamp` with the clock, and allow five minutes in both directions",
    expected: REFUSED,
    probes: ({ make, standard }) =>
      [-DAY_MS, -600_000, 600_000].map((ms) =>
        standard(`a delivery signed ${ms / 1000} seconds from now`, [make.test()], {
          date: new Date(Date.now() + ms),
        }),
      ),
  }),
];

function altered({ make, standard }: DeliveryKit): ReturnType<DeliveryKit["signed"]>[] {
  const body = [make.test()];
  return [
    standard("a signature of zeros", body, {
      sign: () => `v1,${Buffer.alloc(32).toString("base64")}`,
    }),
    standard("another id than the signed one", body, { idSent: randomUUID() }),
    standard("another time than the signed one", body, {
      date: new Date(Date.now() - DAY_MS),
      dateSent: new Date(),
    }),
    standard("no id", body, { idSent: "" }),
  ];
}
