import { type ReactNode, useId } from "react";
import { Fault, faultyControl } from "./field.js";

/** Several of some words. */
export function Choices({
  title,
  words,
  chosen,
  onChange,
  fault,
}: {
  readonly title: string;
  readonly words: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** What is wrong with the choice. */
  readonly fault?: string | undefined;
}): ReactNode {
  const id = useId();
  return (
    <fieldset {...(fault !== undefined && { "aria-describedby": id })}>
      <legend>{title}</legend>
      <div className="choices">
        {words.map((word, index) => (
          <label key={word}>
            <input
              type="checkbox"
              {...(index === 0 && faultyControl(id, fault))}
              checked={chosen.includes(word)}
              onChange={({ target }) =>
                onChange(
                  target.checked ? [...chosen, word] : chosen.filter((other) => other !== word),
                )
              }
            />
            {word}
          </label>
        ))}
      </div>
      <Fault id={id}>{fault}</Fault>
    </fieldset>
  );
}
