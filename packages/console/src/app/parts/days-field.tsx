import type { ReactNode } from "react";

/** Default period of a dry run, in days. */
export const DEFAULT_DAYS = 7;

const MAX_DAYS = 90;

export function DaysField({
  days,
  onChange,
}: {
  readonly days: number;
  readonly onChange: (days: number) => void;
}): ReactNode {
  return (
    <label>
      Days back
      <input
        type="number"
        required
        min={1}
        max={MAX_DAYS}
        value={Number.isNaN(days) ? "" : days}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </label>
  );
}
