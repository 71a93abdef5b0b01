import type { PlaybookDraft } from "./playbook-draft.js";

/** Range of each number in the playbook form. */
export const PLAYBOOK_RANGES = {
  accountScoreAbove: [0, 100],
  count: [1, 1_000],
  windowMinutes: [0.1, 1_440],
  durationMinutes: [1, 43_200],
} as const;

export type PlaybookNumber = keyof typeof PLAYBOOK_RANGES;
type PlaybookField = "applicationId" | "name" | "kinds" | "genres" | PlaybookNumber;

/** Messages about fields with an invalid value. */
export type PlaybookFaults = Readonly<Partial<Record<PlaybookField, string>>>;

/** Returns the invalid fields of a draft, among those of its rule type. */
export function faultsOf(
  draft: PlaybookDraft,
  applicationId: string,
  purpose: "save" | "try",
): PlaybookFaults {
  const { form, name, kinds, genres } = draft;
  const numbers: readonly PlaybookNumber[] = {
    kinds: ["count", "windowMinutes", "durationMinutes"] as const,
    genres: ["count", "durationMinutes"] as const,
    accountScoreAbove: ["accountScoreAbove", "durationMinutes"] as const,
  }[form];
  return {
    ...(applicationId === "" && { applicationId: "Choose its application." }),
    ...(purpose === "save" && name.trim() === "" && { name: "Give it a name." }),
    ...(form === "kinds" && kinds.length === 0 && { kinds: "Choose at least one kind." }),
    ...(form === "genres" && genres.length === 0 && { genres: "Choose at least one genre." }),
    ...Object.fromEntries(
      numbers.flatMap((field) => {
        const [least, most] = PLAYBOOK_RANGES[field];
        const isWithin = draft[field] >= least && draft[field] <= most;
        const words = `Enter a number from ${least} to ${most.toLocaleString("en-US")}.`;
        return isWithin ? [] : [[field, words]];
      }),
    ),
  };
}
