import type { DeliveryState } from "@riskgate/api-types";

/** States of a delivery, in the order in which pages show them. */
export const DELIVERY_STATES: readonly DeliveryState[] = [
  "pending",
  "delivered",
  "dead",
  "cancelled",
];
