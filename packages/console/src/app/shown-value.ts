import type { RecordedResponse } from "@riskgate/api-types";

const BYTE_UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `2026-01-31 12:00:05 UTC`, as in payloads and the command; the same for every reader. */
export function shownTime(timestamp: string): string {
  const [date, time] = partsOf(new Date(timestamp));
  return `${date} ${time} UTC`;
}

/** A moment on the axis of a chart, in UTC: `12:00`, and at midnight the day. */
export function shownTick(atMs: number): string {
  const [date, time] = partsOf(new Date(atMs));
  const minute = time.slice(0, 5);
  return minute === "00:00" ? shownDay(date) : minute;
}

/** The start of a bar of a chart, in UTC: `31 Jan 12:00`. */
export function shownStep(atMs: number): string {
  const [date, time] = partsOf(new Date(atMs));
  return `${shownDay(date)} ${time.slice(0, 5)} UTC`;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `2026-01-31` as `31 Jan`. */
function shownDay(date: string): string {
  return `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}

function partsOf(time: Date): readonly [date: string, time: string] {
  const text = time.toISOString();
  return [text.slice(0, 10), text.slice(11, 19)];
}

/** A number of milliseconds in its largest unit, such as `3 days`. */
export function shownDuration(ms: number): string {
  const units = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1_000, "second"],
  ] as const;
  const [length, name] = units.find(([length]) => ms >= length) ?? [1, "millisecond"];
  const count = Math.floor(ms / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

export function shownBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toPrecision(3)} ${BYTE_UNITS[power]}`;
}

export function shownCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** A number with its noun, such as `2 events`. */
export function countText(count: number, one: string, several = `${one}s`): string {
  return `${shownCount(count)} ${count === 1 ? one : several}`;
}

/** Text that begins with a capital letter. */
export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The start of an id, which is enough to recognise it. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 10)}...` : id;
}

/** The addresses and accounts that a response names. */
export function targetsOf({ payload }: Pick<RecordedResponse, "payload">): readonly string[] {
  const { ips = [], user_identifiers: identifiers = [] } = (payload["properties"] ?? {}) as {
    readonly ips?: readonly { readonly ip_cidr: string }[];
    readonly user_identifiers?: readonly Readonly<Record<string, string>>[];
  };
  return [
    ...ips.map(({ ip_cidr }) => ip_cidr),
    ...identifiers.flatMap((one) => Object.values(one)),
  ];
}

/** A payload member as text; empty if it is not a string or number. */
export function textIn(payload: Readonly<Record<string, unknown>>, name: string): string {
  const value = payload[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** A payload member as a number; 0 if it is not one. */
export function numberIn(payload: Readonly<Record<string, unknown>>, name: string): number {
  const value = payload[name];
  return typeof value === "number" ? value : 0;
}
