import type { ReactNode } from "react";

export function CheckBox({
  title,
  checked,
  onChange,
}: {
  readonly title: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {title}
    </label>
  );
}
