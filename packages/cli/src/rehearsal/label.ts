/** Known class of an identifier. */
export type Label = "abuse" | "good";

export interface Labels {
  readonly size: number;
  of(digest: string | undefined): Label | undefined;
}
