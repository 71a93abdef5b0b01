/**
 * Small numbers for record positions: many networks share a record, and an array is several times
 * as fast to read as a map.
 */
export class PlaceNumbers {
  readonly #numbers = new Map<number, number>([[0, 0]]);

  /** Returns the number of a position, assigning the next one if it is new; 0 means no record. */
  of(place: number): number {
    const known = this.#numbers.get(place);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(place, number);
    return number;
  }

  get size(): number {
    return this.#numbers.size;
  }
}
