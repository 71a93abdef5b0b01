import type { Addressee } from "@riskgate/api-types";

export const DURATIONS = [
  ["900000", "15 minutes"],
  ["3600000", "1 hour"],
  ["86400000", "1 day"],
  ["604800000", "7 days"],
  ["2592000000", "30 days"],
] as const;

export type DurationText = (typeof DURATIONS)[number][0];

/** Names the applications that a response was sent to, and the others: `Blocked: sent to Shop. Blog receives no security responses.` */
export function sentText(what: string, sentTo: readonly Addressee[]): string {
  const [sent, left] = [true, false].map((isSent) =>
    sentTo.filter((one) => one.isSent === isSent).map(({ name }) => name),
  );
  const parts = [
    sent!.length > 0 ? `${what}: sent to ${enumeration(sent!)}.` : `${what}.`,
    ...(left!.length > 0
      ? [
          `${enumeration(left!)} ${left!.length === 1 ? "receives" : "receive"} no security responses.`,
        ]
      : []),
  ];
  return parts.join(" ");
}

/** `Shop`, `Shop and Blog`, `Shop, Blog and 3 others`. */
export function enumeration(names: readonly string[], most = 3): string {
  if (names.length <= 1) return names.join("");
  const shown = names.length > most ? names.slice(0, most - 1) : names.slice(0, -1);
  const left = names.length - shown.length;
  const last = left === 1 ? names.at(-1)! : `${left} others`;
  return `${shown.join(", ")} and ${last}`;
}
