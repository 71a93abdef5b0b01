import fc from "fast-check";

/**
 * Any character, as the unit of `fc.string`. The unit "binary" of fast-check is the same, but takes a
 * second per test file to list all characters.
 */
export const codePoint = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point));
