/** Result of a decision or an account, once it is known. */
export const LABELS = ["fraud", "legitimate"] as const;

export type Label = (typeof LABELS)[number];
