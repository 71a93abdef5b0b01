import { Popover } from "@base-ui/react/popover";
import { CalendarRange } from "lucide-react";
import { type ReactNode, useState } from "react";
import { fieldText, type RangeName, RANGES } from "../range.js";
import { submitting } from "../submitting.js";
import { Button } from "./button.js";
import type { useRange } from "./use-range.js";

/** The period of all lists and charts of a page. */
export function RangePicker({
  range: { text, sinceMs, untilMs, set },
  hasAll = true,
}: {
  readonly range: ReturnType<typeof useRange>;
  /** Whether the page can show everything that is stored. */
  readonly hasAll?: boolean;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const isOwn = text.since !== "" || text.until !== "";
  const names = Object.keys(RANGES) as RangeName[];
  return (
    <div className="segments" role="group" aria-label="Period">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={!isOwn && text.range === name}
          onClick={() => set({ range: name })}
        >
          {RANGES[name].title}
        </button>
      ))}
      {hasAll && (
        <button
          type="button"
          aria-pressed={!isOwn && sinceMs === undefined}
          onClick={() => set({})}
        >
          All
        </button>
      )}
      <Popover.Root open={isOpen} onOpenChange={(open) => setOpen(open)}>
        <Popover.Trigger aria-pressed={isOwn} aria-label="Other period">
          <CalendarRange size={15} aria-hidden />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} align="end" collisionPadding={8} className="above">
            <Popover.Popup className="popover" aria-label="Other period">
              <OwnPeriod
                since={fieldText(sinceMs)}
                until={fieldText(untilMs)}
                onChange={(period) => {
                  set(period);
                  setOpen(false);
                }}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

function OwnPeriod({
  since: givenSince,
  until: givenUntil,
  onChange,
}: {
  readonly since: string;
  readonly until: string;
  readonly onChange: (period: { readonly since: string; readonly until: string }) => void;
}): ReactNode {
  const [since, setSince] = useState(givenSince);
  const [until, setUntil] = useState(givenUntil);
  return (
    <form className="stack" onSubmit={submitting(() => onChange({ since, until }))}>
      <label>
        From (UTC)
        <input
          type="datetime-local"
          value={since}
          onChange={({ target }) => setSince(target.value)}
        />
      </label>
      <label>
        To (UTC)
        <input
          type="datetime-local"
          min={since}
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
      </label>
      <div className="actions">
        <Button type="submit" look="main">
          Apply
        </Button>
      </div>
    </form>
  );
}
