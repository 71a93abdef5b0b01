import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { parseCidr } from "../../src/address/cidr.js";
import { parseIp } from "../../src/address/ip-address.js";
import { createIpTable, type IpTableEntry } from "../../src/address/ip-table.js";

/** Marks of an address found by asking every network in turn. */
function naiveMarks(entries: readonly ParsedEntry[], ip: string): number {
  const address = ipaddr.process(ip);
  let marks = 0;
  for (const { base, length, value } of entries) {
    if (base.kind() === address.kind() && address.match(base, length)) marks |= value;
  }
  return marks;
}

interface ParsedEntry {
  readonly base: ipaddr.IPv4 | ipaddr.IPv6;
  readonly length: number;
  readonly value: number;
}

function parsed(entries: readonly IpTableEntry[]): ParsedEntry[] {
  return entries.map(([cidr, value]) => {
    const [base, length] = ipaddr.parseCIDR(cidr);
    return { base, length, value };
  });
}

const word = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff),
  fc.nat(0xffffffff),
);
const v4 = word.map((value) => ipaddr.fromByteArray(bytesOf([value])).toString());
const v6 = fc
  .tuple(fc.constantFrom(0x20010db8, 0, 0xffffffff), word, word, word)
  .filter(([a, b, c]) => a !== 0 || b !== 0 || c !== 0xffff)
  .map((words) => ipaddr.fromByteArray(bytesOf(words)).toString());

function bytesOf(words: readonly number[]): number[] {
  return words.flatMap((value) => [
    value >>> 24,
    (value >>> 16) & 255,
    (value >>> 8) & 255,
    value & 255,
  ]);
}

/** Networks around few centres, so that they nest and touch. */
const networks = (address: fc.Arbitrary<string>, width: number): fc.Arbitrary<IpTableEntry[]> =>
  fc.array(address, { minLength: 1, maxLength: 4 }).chain((centres) =>
    fc.array(
      fc.tuple(
        fc.tuple(fc.constantFrom(...centres), fc.nat(width)).map((parts) => parts.join("/")),
        fc.integer({ min: 1, max: 255 }),
      ),
      { maxLength: 24 },
    ),
  );

/** The first and last address of each network, and those next to them. */
function edges(entries: readonly IpTableEntry[]): string[] {
  return entries.flatMap(([cidr]) => {
    const [base, length] = ipaddr.parseCIDR(cidr);
    const bytes = base.toByteArray();
    let start = bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
    const bits = BigInt(bytes.length * 8);
    const size = 1n << (bits - BigInt(length));
    start -= start % size;
    return [start - 1n, start, start + size - 1n, start + size]
      .filter((value) => value >= 0n && value < 1n << bits)
      .map((value) => {
        const text = value.toString(16).padStart(bytes.length * 2, "0");
        return ipaddr.fromByteArray([...Buffer.from(text, "hex")]).toString();
      });
  });
}

describe("createIpTable", () => {
  it.each([
    ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255", "::ffff:8.8.8.8"], ["::", "::1"]],
    ["::/0", ["::", "2001:db8::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], ["8.8.8.8"]],
    ["255.255.255.255/32", ["255.255.255.255"], ["255.255.255.254", "0.0.0.0"]],
    ["0.0.0.0/32", ["0.0.0.0"], ["0.0.0.1"]],
    [
      "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128",
      ["ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
      ["ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe", "::"],
    ],
    ["128.0.0.0/1", ["128.0.0.0", "255.255.255.255"], ["127.255.255.255"]],
    ["10.0.0.7/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0"]],
    ["::ffff:10.0.0.0/104", ["10.1.1.1", "::ffff:10.1.1.1"], ["11.0.0.0"]],
    ["2001:db8::/33", ["2001:db8:7fff:ffff::"], ["2001:db8:8000::"]],
  ])("marks what is in %s", (cidr, inside, outside) => {
    const table = createIpTable([[cidr, 4]]);
    expect(inside.map((ip) => table.marksOf(ip))).toEqual(inside.map(() => 4));
    expect(outside.map((ip) => table.marksOf(ip))).toEqual(outside.map(() => 0));
  });

  it("adds up the marks of networks that nest, touch or repeat", () => {
    const table = createIpTable([
      ["10.1.0.0/16", 2],
      ["10.0.0.0/8", 1],
      ["10.1.1.0/24", 4],
      ["10.1.1.0/24", 8],
      ["11.0.0.0/8", 1],
    ]);
    expect(table.size).toBe(5);
    const marks = ["9.255.255.255", "10.0.255.255", "10.1.0.0", "10.1.1.0", "10.1.1.255"];
    expect(marks.map((ip) => table.marksOf(ip))).toEqual([0, 1, 3, 15, 15]);
    const after = ["10.1.2.0", "10.2.0.0", "11.255.255.255", "12.0.0.0"];
    expect(after.map((ip) => table.marksOf(ip))).toEqual([3, 1, 1, 0]);
  });

  it("skips texts that are not networks, and reports each", () => {
    const invalid: string[] = [];
    const entries: IpTableEntry[] = [
      ["1.2.3.4", 1],
      ["1.2.3.4/33", 1],
      ["example.com", 1],
    ];
    expect(createIpTable(entries).size).toBe(1);
    createIpTable(entries, (text) => invalid.push(text));
    expect(invalid).toEqual(["1.2.3.4/33", "example.com"]);
  });

  it("distinguishes an address outside all networks from a text that is not an address", () => {
    const table = createIpTable([]);
    expect([table.marksOf("1.2.3.4"), table.marksOf("::1"), table.marksOf("x")]).toEqual([
      0, 0, -1,
    ]);
  });

  it("answers the same for an address that is parsed already", () => {
    const table = createIpTable([
      ["10.0.0.0/8", 1],
      ["2001:db8::/32", 2],
    ]);
    const words = new Uint32Array(4);
    const texts = ["10.1.2.3", "::ffff:10.1.2.3", "11.0.0.0", "2001:db8::1", "2001:db9::", "x"];
    const marks = texts.map((text) => table.marksAt(parseIp(text, words), words));
    expect(marks).toEqual([1, 1, 0, 2, 0, -1]);
    expect(marks).toEqual(texts.map((text) => table.marksOf(text)));
  });

  it.each([
    ["IPv4", v4, 32],
    ["IPv6", v6, 128],
  ])("agrees with a search through the list, for %s", (_, address, width) => {
    const given = fc.tuple(networks(address, width), fc.array(address, { maxLength: 8 }));
    fc.assert(
      fc.property(given, ([entries, random]) => {
        const table = createIpTable(entries);
        const list = parsed(entries);
        const asked = [...random, ...edges(entries)];
        expect(asked.map((ip) => [ip, table.marksOf(ip)])).toEqual(
          asked.map((ip) => [ip, naiveMarks(list, ip)]),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["IPv4", v4, 32],
    ["IPv6", v6, 128],
  ])(
    "agrees with a search through a list long enough for an index, for %s",
    (_, address, width) => {
      const many = fc.array(
        fc.tuple(address, fc.integer({ min: 8, max: width }), fc.integer({ min: 1, max: 255 })),
        {
          minLength: 300,
          maxLength: 400,
        },
      );
      fc.assert(
        fc.property(many, fc.array(address, { minLength: 20, maxLength: 20 }), (rows, random) => {
          const entries = rows.map(([ip, length, marks]) => [`${ip}/${length}`, marks] as const);
          const table = createIpTable(entries);
          const list = parsed(entries);
          const asked = [...random, ...edges(entries.slice(0, 20))];
          expect(asked.map((ip) => [ip, table.marksOf(ip)])).toEqual(
            asked.map((ip) => [ip, naiveMarks(list, ip)]),
          );
        }),
        // Each run asks 100 addresses of 300 networks, one after the other, in the slow way.
        { numRuns: 20 },
      );
    },
  );
});

describe("createIpTable with pauses", () => {
  /** Networks that nest, in no order. */
  const entries = Array.from({ length: 20_000 }, (_, index): IpTableEntry => {
    const word = (index * 7_919) % 20_000;
    const length = 20 + (index % 13);
    return [`${10 + (index % 3)}.${word >> 8}.${word & 255}.0/${length}`, 1 << (index % 8)];
  });

  it("answers as it does without", async () => {
    const plain = createIpTable(entries);
    const slow = await createIpTable(entries, undefined, async () => {});
    expect(slow.size).toBe(plain.size);
    for (const [cidr] of entries) {
      const ip = cidr.replace(/0\/.*/, "77");
      expect([ip, slow.marksOf(ip)]).toEqual([ip, plain.marksOf(ip)]);
    }
  });

  it("pauses after every few thousand networks, and not for a short list", async () => {
    let pauses = 0;
    const pause = async () => void pauses++;
    await createIpTable(entries.slice(0, 1_000), undefined, pause);
    expect(pauses).toBe(0);
    await createIpTable(entries, undefined, pause);
    expect(pauses).toBeGreaterThan(4);
  });

  it("fails as a pause fails", async () => {
    const pause = () => Promise.reject(new Error("stopped"));
    await expect(createIpTable(entries, undefined, pause)).rejects.toThrow("stopped");
  });
});

describe("parseCidr", () => {
  const words = new Uint32Array(4);

  it.each([
    ["10.1.2.3", 4, 32],
    ["10.1.2.3/0", 4, 0],
    ["10.1.2.3/32", 4, 32],
    ["2001:db8::/32", 6, 32],
    ["::/128", 6, 128],
    ["fe80::1%eth0/64", 6, 64],
    ["::ffff:10.0.0.0/96", 4, 0],
    ["::ffff:10.0.0.0/128", 4, 32],
  ])("reads %s", (text, version, length) => {
    expect(parseCidr(text, words)).toEqual({ version, length });
  });

  it("clears the bits behind the prefix", () => {
    parseCidr("10.1.2.3/15", words);
    expect(words[0]).toBe(0x0a000000);
    parseCidr("2001:db8:ffff:ffff::1/33", words);
    expect([...words]).toEqual([0x20010db8, 0x80000000, 0, 0]);
  });

  it.each([
    "",
    "/",
    "/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/08",
    "10.0.0.0/8/8",
    "10.0.0.0/8 ",
    "10.0.0.0/ 8",
    "10.0.0.0/1e1",
    "10.0.0.0/255.0.0.0",
    "10/8",
    "10.0.0.0-10.0.0.9",
    "::/129",
    "::ffff:10.0.0.0/95",
    "example.com/8",
  ])("refuses %j", (text) => {
    expect(parseCidr(text, words)).toBeUndefined();
  });
});
