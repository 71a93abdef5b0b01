import { type ReactNode, useId } from "react";
import { Fault, faultyControl } from "./field.js";

export function Choices<Word extends string>({
  title,
  words,
  chosen,
  onChange,
  fault,
}: {
  readonly title: string;
  readonly words: readonly Word[];
  readonly chosen: readonly Word[];
  readonly onChange: (chosen: readonly Word[]) => void;
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
