/** Known class of an identifier. */
export type Label = "abuse" | "good";

/** Labels of identifiers, by their digest. */
export interface Labels {
  readonly size: number;
  of(digest: string | undefined): Label | undefined;
}
