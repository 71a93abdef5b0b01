import { Ring, unlink } from "../base/ring.js";

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

/** Hand out `count` places. */
export function createSlots(count: number): Slots {
  let taken = 0;
  const waiting = new Ring<(free: () => void) => void>();

  const free = (): void => {
    // The place goes from hand to hand, so that nobody who comes now can overtake.
    const enter = waiting.shift();
    if (enter) enter(free);
    else taken--;
  };

  return {
    take(onEnter) {
      if (taken < count) {
        taken++;
        onEnter(free);
        return undefined;
      }
      const link = waiting.add(onEnter);
      return () => unlink(link);
    },
  };
}
