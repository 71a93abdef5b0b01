import { expect, it } from "vitest";
import { withoutRepeats } from "../../src/serve/without-repeats.js";

it("writes a message once a minute, with how often it was left out", () => {
  let nowMs = 0;
  const lines: string[] = [];
  const write = withoutRepeats(
    (line) => void lines.push(line),
    () => nowMs,
  );
  for (; nowMs <= 120_000; nowMs += 1_000) write("the disk is full");
  write("the disk is full");
  write("the network is down");
  expect(lines).toEqual([
    "the disk is full",
    "the disk is full (and 59 times since)",
    "the disk is full (and 59 times since)",
    "the network is down",
  ]);
});

it("remembers a bounded number of messages", () => {
  const lines: string[] = [];
  const write = withoutRepeats(
    (line) => void lines.push(line),
    () => 0,
  );
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 101; index++) write(`message ${index}`);
  }
  expect(lines).toHaveLength(202);
});
