import { formatTimestamp } from "../webhook/timestamp.js";
import type { CheckedEvent, CheckedLabel, CheckedLogin } from "./report.js";

export type Stamp = (atMs: number | undefined) => number;

/**
 * Creates a clock that never returns the same microsecond twice: two simultaneous logins to one
 * account count as two, and a login that is sent twice counts as one.
 */
export function createStamp(nowMs: () => number): Stamp {
  let last = 0;
  return (atMs) => {
    if (atMs !== undefined) return Math.round(atMs * 1000);
    last = Math.max(last + 1, Math.floor(nowMs() * 1000));
    return last;
  };
}

export function eventText(event: CheckedEvent, stamp: Stamp): string {
  const { kind, id, address, account, userAgent, blocked, description } = event;
  const name = account?.includes("@") ? "email" : "login";
  return JSON.stringify({
    event_id: id,
    event_kind: kind,
    date_occurred: formatTimestamp(stamp(event.atMs)),
    ...(account !== undefined && { application_account_account_keys: [{ name, value: account }] }),
    ...(address !== undefined && { ips: [address] }),
    user_agent: userAgent,
    ...(blocked && { blocked }),
    humanized_description: description,
  });
}

export function loginText(login: CheckedLogin, stamp: Stamp): string {
  const { atMs, ...members } = login;
  return JSON.stringify({ ...members, at: formatTimestamp(stamp(atMs)) });
}

export function labelText({ atMs, ...label }: CheckedLabel, stamp: Stamp): string {
  return JSON.stringify({ ...label, at: formatTimestamp(stamp(atMs)) });
}
