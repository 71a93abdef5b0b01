/** A place in a {@link Ring}. */
export interface Link<T> {
  value: T | undefined;
  before: Link<T>;
  after: Link<T>;
}

/**
 * Things in the order in which they came; any of them can leave.
 *
 * A `Set` would do, but for the collector. The table that a growing set leaves behind still names
 * what stood in it, and points to its successor: once one such table has grown old, everything that
 * came later is kept until the next full collection.
 */
export class Ring<T> {
  readonly #end: Link<T>;

  constructor() {
    const end = { value: undefined } as Link<T>;
    end.before = end;
    end.after = end;
    this.#end = end;
  }

  /** What has been here for longest, or undefined. */
  get first(): T | undefined {
    return this.#end.after.value;
  }

  add(value: T): Link<T> {
    const end = this.#end;
    const link = { value, before: end.before, after: end };
    end.before.after = link;
    end.before = link;
    return link;
  }

  /** Take {@link first} out. */
  shift(): T | undefined {
    const { first } = this;
    unlink(this.#end.after);
    return first;
  }
}

/** Take a link out of its ring; for one that is out already, do nothing. */
export function unlink(link: Link<unknown>): void {
  link.before.after = link.after;
  link.after.before = link.before;
  // Whoever holds it still must not hold its neighbours.
  link.before = link;
  link.after = link;
  link.value = undefined;
}
