import { type ReactNode, useId } from "react";
import { Fault, faultyControl } from "./field.js";

/** Words to choose, or their names in groups. */
export function Choices<Word extends string>({
  title,
  groups,
  nameOf = (word) => word,
  chosen,
  onChange,
  fault,
}: {
  readonly title: string;
  readonly groups: readonly (readonly [title: string, words: readonly Word[]])[];
  readonly nameOf?: (word: Word) => string;
  readonly chosen: readonly Word[];
  readonly onChange: (chosen: readonly Word[]) => void;
  readonly fault?: string | undefined;
}): ReactNode {
  const id = useId();
  const first = groups[0]?.[1][0];
  return (
    <fieldset {...(fault !== undefined && { "aria-describedby": id })}>
      <legend>{title}</legend>
      {groups.map(([name, words]) => (
        <div
          key={name}
          className="choice-group"
          {...(name !== "" && { role: "group", "aria-label": name })}
        >
          {name !== "" && <b aria-hidden>{name}</b>}
          <div className="choices">
            {words.map((word) => (
              <label key={word}>
                <input
                  type="checkbox"
                  {...(word === first && faultyControl(id, fault))}
                  checked={chosen.includes(word)}
                  onChange={({ target }) =>
                    onChange(
                      target.checked ? [...chosen, word] : chosen.filter((other) => other !== word),
                    )
                  }
                />
                <span>
                  {nameOf(word)} {nameOf(word) !== word && <small className="mono">{word}</small>}
                </span>
              </label>
            ))}
          </div>
        </div>
      ))}
      <Fault id={id}>{fault}</Fault>
    </fieldset>
  );
}
