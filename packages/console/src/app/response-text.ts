import type { RecordedResponse } from "@riskgate/api-types";

/** Whether a response ends blocks: an operator's release lasts one second. */
export function isRelease({
  playbookId,
  payload,
}: Partial<Pick<RecordedResponse, "playbookId">> & Pick<RecordedResponse, "payload">): boolean {
  const { duration_seconds: seconds } = (payload["properties"] ?? {}) as {
    readonly duration_seconds?: unknown;
  };
  return playbookId === "operator" && seconds === 1;
}

/** The name of the playbook, or the reason that the operator gave. */
export function responderOf({ payload }: Pick<RecordedResponse, "payload">): string {
  const { name } = (payload["playbook"] ?? {}) as { readonly name?: unknown };
  return typeof name === "string" ? name : "";
}
