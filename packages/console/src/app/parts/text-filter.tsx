import { type ReactNode, useState } from "react";

/** A text filter. It is applied when the field loses focus or the user presses Enter. */
export function TextFilter({
  title,
  value,
  onChange,
}: {
  readonly title: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const [text, setText] = useState(value);
  const done = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <label>
      {title}
      <input
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={done}
        onKeyDown={(event) => {
          if (event.key === "Enter") done();
        }}
      />
    </label>
  );
}
