import fc from "fast-check";

/** Groups that make mapped, embedded and shortened forms likely. */
const group = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 0, 1, 0xffff, 0x2001, 0xfe80) },
  { weight: 2, arbitrary: fc.nat(0xffff) },
);

export const ipv4Text: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(0, 1, 127, 128, 255), fc.nat(255)), {
    minLength: 4,
    maxLength: 4,
  })
  .map((parts) => parts.join("."));

const mappedText = fc
  .tuple(fc.constantFrom("::ffff:", "::FFFF:", "0:0:0:0:0:ffff:", "::", "64:ff9b::"), ipv4Text)
  .map((parts) => parts.join(""));

/** Any correct spelling of an IPv6 address, in full or shortened, in either case. */
export const ipv6Text: fc.Arbitrary<string> = fc.oneof(
  fc.ipV6(),
  mappedText,
  fc
    .tuple(
      fc.array(group, { minLength: 8, maxLength: 8 }),
      fc.boolean(),
      fc.boolean(),
      fc.nat(7),
      fc.nat(7),
    )
    .map(([groups, upper, padded, from, to]) => {
      const parts = groups.map((value) => value.toString(16).padStart(padded ? 4 : 1, "0"));
      const zeros = groups.slice(Math.min(from, to), Math.max(from, to) + 1);
      const text = zeros.every((value) => value === 0)
        ? `${parts.slice(0, Math.min(from, to)).join(":")}::${parts.slice(Math.max(from, to) + 1).join(":")}`
        : parts.join(":");
      return upper ? text.toUpperCase() : text;
    }),
);

const zonedText = fc
  .tuple(ipv6Text, fc.constantFrom("%eth0", "%1", "%", "%a.b", "%a b", "%%", "%en-0"))
  .map((parts) => parts.join(""));

const junk = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."0123456789abcfF:.%/x[] ".split("")), maxLength: 45 }),
  // A correct address with one character changed is the best junk.
  fc
    .tuple(
      fc.oneof(ipv4Text, ipv6Text),
      fc.nat(),
      fc.constantFrom("", ":", ".", "0", "1", "f", "g"),
    )
    .map(([text, at, other]) => {
      const position = at % text.length;
      return text.slice(0, position) + other + text.slice(position + 1);
    }),
);

/** Addresses of every form, and texts that nearly are one. */
export const anyIpText: fc.Arbitrary<string> = fc.oneof(ipv4Text, ipv6Text, zonedText, junk);
