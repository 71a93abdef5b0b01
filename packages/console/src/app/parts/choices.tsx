import type { ReactNode } from "react";

/** Several of some words. */
export function Choices({
  title,
  words,
  chosen,
  onChange,
}: {
  readonly title: string;
  readonly words: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}): ReactNode {
  return (
    <fieldset>
      <legend>{title}</legend>
      <div className="choices">
        {words.map((word) => (
          <label key={word}>
            <input
              type="checkbox"
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
    </fieldset>
  );
}
