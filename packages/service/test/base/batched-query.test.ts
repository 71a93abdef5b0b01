import { describe, expect, it } from "vitest";
import { inBatches } from "../../src/base/batched-query.js";

/** Questions that are answered when a test says so. */
function openQuestions() {
  const questions: { keys: readonly string[]; answer: () => void; fail: () => void }[] = [];
  const find = inBatches(
    (keys) =>
      new Promise<ReadonlyMap<string, string>>((resolve, reject) => {
        questions.push({
          keys,
          answer: () => resolve(new Map(keys.map((key) => [key, key.toUpperCase()]))),
          fail: () => reject(new Error("gone")),
        });
      }),
  );
  return { questions, find };
}

describe("inBatches", () => {
  it("asks one question at a time, the next for all that came meanwhile", async () => {
    const { questions, find } = openQuestions();
    const first = find("a");
    await expect.poll(() => questions.length).toBe(1);
    const others = ["b", "c", "b"].map(find);
    expect(questions.map(({ keys }) => keys)).toEqual([["a"]]);
    questions[0]?.answer();
    expect(await first).toBe("A");
    await expect.poll(() => questions.length).toBe(2);
    expect(questions[1]?.keys).toEqual(["b", "c"]);
    questions[1]?.answer();
    expect(await Promise.all(others)).toEqual(["B", "C", "B"]);
  });

  it("fails for those alone whose question failed", async () => {
    const { questions, find } = openQuestions();
    const failing = find("a").catch((error: unknown) => error);
    await expect.poll(() => questions.length).toBe(1);
    const waiting = find("b");
    questions[0]?.fail();
    expect(await failing).toEqual(new Error("gone"));
    await expect.poll(() => questions.length).toBe(2);
    questions[1]?.answer();
    expect(await waiting).toBe("B");
  });
});
