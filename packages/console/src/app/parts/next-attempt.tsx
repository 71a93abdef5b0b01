import type { Delivery } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { nextAttemptText } from "../next-attempt-text.js";
import { shownTime } from "../shown-value.js";
import { useNow } from "./use-now.js";

/** When a delivery is sent next in words, with the exact time on hover. */
export function NextAttempt({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const text = nextAttemptText(delivery, useNow());
  const at = delivery.nextAttemptAt;
  if (at === null) return text;
  return (
    <time dateTime={new Date(at).toISOString()} title={shownTime(at)}>
      {text}
    </time>
  );
}
