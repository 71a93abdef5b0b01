/** A fixed number of places; who finds none waits in order of arrival. */
export interface Slots {
  /**
   * Call `onEnter` when there is a place, at once if there is one now. It is given the function
   * that gives the place back, to be called once.
   *
   * @returns Leaves the queue, which does nothing once the place is taken; undefined when it was
   *   taken at once.
   */
  take(onEnter: (free: () => void) => void): (() => void) | undefined;
}

interface Waiter {
  enter: ((free: () => void) => void) | undefined;
  before: Waiter;
  after: Waiter;
}

/** Hand out `count` places. */
export function createSlots(count: number): Slots {
  let taken = 0;
  // A ring with a fixed link: leaving from the middle is as cheap as taking the first.
  const ring = { enter: undefined } as Waiter;
  ring.before = ring;
  ring.after = ring;

  const unlink = (waiter: Waiter): void => {
    waiter.before.after = waiter.after;
    waiter.after.before = waiter.before;
    waiter.enter = undefined;
  };

  const free = (): void => {
    const { after: first } = ring;
    const { enter } = first;
    if (!enter) {
      taken--;
      return;
    }
    // The place goes from hand to hand, so that nobody who comes now can overtake.
    unlink(first);
    enter(free);
  };

  return {
    take(onEnter) {
      if (taken < count) {
        taken++;
        onEnter(free);
        return undefined;
      }
      const waiter: Waiter = { enter: onEnter, before: ring.before, after: ring };
      ring.before.after = waiter;
      ring.before = waiter;
      return () => {
        if (waiter.enter) unlink(waiter);
      };
    },
  };
}
