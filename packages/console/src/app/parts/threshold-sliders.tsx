import type { ReactNode } from "react";
import {
  DEFAULT_THRESHOLDS,
  moveThreshold,
  setChallenging,
  type Threshold,
  type Thresholds,
} from "../thresholds.js";
import { Button } from "./button.js";
import { CheckBox } from "./check-box.js";

interface SlidersProps {
  readonly thresholds: Thresholds;
  readonly onChange: (thresholds: Thresholds) => void;
}

export function ThresholdSliders({ thresholds, onChange }: SlidersProps): ReactNode {
  const { challengeAbove } = thresholds;
  const slider = (name: Threshold, title: string): ReactNode => (
    <Slider
      title={title}
      value={thresholds[name] ?? 0}
      onChange={(value) => onChange(moveThreshold(thresholds, name, value))}
    />
  );
  return (
    <>
      <div className="sliders">
        {slider("flagAbove", "Flag above")}
        {challengeAbove !== undefined && slider("challengeAbove", "Challenge above")}
        {slider("rejectAbove", "Reject above")}
      </div>
      <div className="row middle">
        <CheckBox
          title="Challenge some scores"
          checked={challengeAbove !== undefined}
          onChange={(isOn) => onChange(setChallenging(thresholds, isOn))}
        />
        <Button onClick={() => onChange(DEFAULT_THRESHOLDS)}>Reset</Button>
      </div>
    </>
  );
}

function Slider({
  title,
  value,
  onChange,
}: {
  readonly title: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}): ReactNode {
  return (
    <label className="slider">
      <span>
        {title} <span className="value">{value}</span>
      </span>
      <input
        type="range"
        aria-label={title}
        min={0}
        max={100}
        value={value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </label>
  );
}
