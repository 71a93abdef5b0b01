/** Name of the group of everything that has no room of its own. */
const OTHER = "(other)";

/** A name is shown, and kept: a log may hold anything. */
const MAX_NAME = 200;

/** Values by name, as many as there is room for; further names share one. */
export class BoundedGroups<T> {
  readonly #groups = new Map<string, T>();
  readonly #max: number;
  readonly #make: () => T;
  #other: T | undefined;

  /** @param max Most names, besides the shared one. */
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

  /** Names with their values, in the order in which they came; the shared one is the last. */
  entries(): [name: string, value: T][] {
    const other: [string, T][] = this.#other === undefined ? [] : [[OTHER, this.#other]];
    return [...this.#groups, ...other];
  }
}
