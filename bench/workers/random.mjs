/**
 * Creates a generator with the same numbers in every run.
 *
 * @param {number} seed
 * @returns {() => number} Returns numbers from 0 to below 1.
 */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    // Mulberry32: the low bits of a plain linear generator would repeat after a few numbers.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
