import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.js";

/** A new key or secret, which is not shown again. */
export function ShownOnce({
  name,
  value,
}: {
  readonly name: string;
  readonly value: string;
}): ReactNode {
  return (
    <div className="notice good" role="status">
      <p>{name}, which is not shown again:</p>
      <p>
        <code>{value}</code>
      </p>
      <CopyButton text={value}>{`Copy the ${name.toLowerCase()}`}</CopyButton>
    </div>
  );
}
