import { callSyncHook, type ErrorHook } from "@riskgate/core/web";
import type { ClientInfo } from "./web-visit.js";

/** Adds the address that the option `clientAddress` finds, if it is set, to the info of a request. */
export function withAddress(
  info: ClientInfo,
  find: (() => string | null | undefined) | undefined,
  report: ErrorHook,
): ClientInfo {
  if (!find) return info;
  const found = callSyncHook("`clientAddress`", find, { report, otherwise: undefined });
  return { ...info, remoteAddress: found ?? undefined };
}
