import type { DeliveryState } from "@riskgate/api-types";

export const DELIVERY_STATES: readonly DeliveryState[] = [
  "pending",
  "delivered",
  "dead",
  "cancelled",
];
