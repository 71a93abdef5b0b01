import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import type { FieldControl } from "./field.js";

export type Choice<Value extends string> = Value | readonly [value: Value, text: string];

/** The browser's own list, which every keyboard, phone and screen reader knows. */
export function Select<Value extends string>({
  choices,
  value,
  onChange,
  control,
}: {
  readonly choices: readonly Choice<Value>[];
  readonly value: NoInfer<Value>;
  readonly onChange: (value: Value) => void;
  readonly control?: FieldControl | undefined;
}): ReactNode {
  return (
    <span className="select">
      <select {...control} value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {choices.map((choice) => {
          const [given, text] = typeof choice === "string" ? [choice, choice] : choice;
          return (
            <option key={given} value={given}>
              {text}
            </option>
          );
        })}
      </select>
      <ChevronDown size={15} aria-hidden />
    </span>
  );
}
