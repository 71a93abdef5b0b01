/** Name of the group for values beyond the maximum. */
const OTHER = "(other)";

/** Names are stored and shown, so their length is limited: a log may contain anything. */
const MAX_NAME = 200;

/** Values by name, up to a maximum; further names share one value. */
export class BoundedGroups<T> {
  readonly #groups = new Map<string, T>();
  readonly #max: number;
  readonly #make: () => T;
  #other: T | undefined;

  /** @param max Maximum number of names, besides the shared one. */
  constructor(max: number, make: () => T) {
    this.#max = max;
    this.#make = make;
  }

  get(name: string): T {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    if (this.#groups.size >= this.#max || name.length > MAX_NAME || name === OTHER) {
      return (this.#other ??= this.#make());
    }
    const made = this.#make();
    this.#groups.set(name, made);
    return made;
  }

  /** Names with their values in order of arrival; the shared one is last. */
  entries(): [name: string, value: T][] {
    const other: [string, T][] = this.#other === undefined ? [] : [[OTHER, this.#other]];
    return [...this.#groups, ...other];
  }
}
