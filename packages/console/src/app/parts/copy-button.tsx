import { Button } from "./button.js";
import { type ReactNode, useState } from "react";

export function CopyButton({
  text,
  children,
}: {
  readonly text: string;
  readonly children: string;
}): ReactNode {
  const [state, setState] = useState<"" | "Copied" | "Cannot copy">("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setState("Copied");
    } catch {
      setState("Cannot copy");
    }
  };
  return (
    <>
      <Button onClick={() => void copy()}>{children}</Button>
      <span role="status" className="dim">
        {state}
      </span>
    </>
  );
}
