import { type ReactNode, useState } from "react";
import { Button } from "./button.js";
import { call } from "../call.js";
import { ErrorPanel } from "./error-panel.js";
import { Notice } from "./notice.js";
import { Select } from "./select.js";
import { useAction } from "./use-action.js";

const HOUR_MS = 3_600_000;

const AGES = [
  ["1", "last hour"],
  ["24", "last day"],
  ["168", "last week"],
] as const;

/** Sends all deliveries in a state again, 1,000 at a time. */
export function RetryAll({
  state,
  applicationId: id,
}: {
  readonly state: "dead" | "cancelled";
  readonly applicationId: string | undefined;
}): ReactNode {
  const [hours, setHours] = useState<(typeof AGES)[number][0]>("24");
  const [count, setCount] = useState(0);
  const retry = useAction(async () => {
    const createdSince = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
    const filter = { state, createdSince, ...(id && { applicationId: id }) };
    setCount(0);
    for (let afterSeq = 0; ;) {
      const page = await call("POST /deliveries/retry", { body: { ...filter, afterSeq } });
      setCount((before) => before + page.retried);
      if (page.nextAfterSeq === null) return;
      afterSeq = page.nextAfterSeq;
    }
  });
  return (
    <>
      <label>
        Send again those of the
        <Select choices={AGES} value={hours} onChange={setHours} />
      </label>
      <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
        Send all again
      </Button>
      {retry.error && <ErrorPanel error={retry.error} />}
      {(retry.isPending || retry.isSuccess) && (
        <Notice tone="good">Deliveries sent again: {count}.</Notice>
      )}
    </>
  );
}
