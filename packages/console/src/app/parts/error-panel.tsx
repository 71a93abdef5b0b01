import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { visible } from "../foreign-text.js";
import { Button } from "./button.js";

/** What went wrong, with a way to try again if there is one. */
export function ErrorPanel({
  error,
  onRetry,
}: {
  /** An error, or a sentence. */
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}): ReactNode {
  return (
    <div className="notice bad" role="alert">
      <CircleAlert size={16} aria-hidden />
      <div>{visible(messageOf(error))}</div>
      {onRetry && (
        <Button icon={RotateCw} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  return error instanceof Error ? error.message : "Something went wrong";
}
