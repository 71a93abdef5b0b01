import { describe, expect, it } from "vitest";
import { createWriterQueue, type WriterQueue } from "../../src/intake/writer-queue.js";
import type { Storage } from "../../src/storage/storage.js";

/** WriterQueue on a storage that notes what happens. */
function open(begin: () => Promise<void> = async () => {}): {
  turns: WriterQueue;
  notes: string[];
} {
  const notes: string[] = [];
  const storage = {
    async withWriterLock<T>(work: (turn: Storage) => Promise<T>): Promise<T> {
      notes.push("turn");
      try {
        return await work(storage);
      } finally {
        notes.push("over");
      }
    },
  } as Storage;
  return { turns: createWriterQueue(storage, begin), notes };
}

describe("turns", () => {
  it("are shared by what waits at the same time, in its order", async () => {
    const { turns, notes } = open();
    const pieces = ["a", "b", "c"].map(async (name) =>
      turns.run(async () => {
        await Promise.resolve();
        return notes.push(name);
      }),
    );
    await Promise.all(pieces);
    await turns.idle();
    expect(notes).toEqual(["turn", "a", "b", "c", "over"]);
  });

  it("end after 32 pieces of work, so that another process gets one", async () => {
    const { turns, notes } = open();
    await Promise.all(
      Array.from({ length: 40 }, async () => turns.run(async () => notes.push("work"))),
    );
    await turns.idle();
    expect(notes.indexOf("over")).toBe(33);
    expect(notes.filter((note) => note === "turn")).toHaveLength(2);
    expect(notes.filter((note) => note === "work")).toHaveLength(40);
  });

  it("go on after a piece of work that fails", async () => {
    const { turns, notes } = open();
    const failing = turns.run(async () => Promise.reject(new Error("refused")));
    const next = turns.run(async () => notes.push("next"));
    await expect(failing).rejects.toThrow("refused");
    await next;
    await turns.idle();
    expect(notes).toEqual(["turn", "next", "over"]);
  });

  it("fail all that waits where they cannot begin, and are tried again by what comes then", async () => {
    let isThere = false;
    const { turns, notes } = open(async () => {
      if (!isThere) throw new Error("no database");
    });
    const pieces = [1, 2].map(async () => turns.run(async () => notes.push("work")));
    for (const piece of pieces) await expect(piece).rejects.toThrow("no database");
    isThere = true;
    await turns.run(async () => notes.push("work"));
    await turns.idle();
    expect(notes).toEqual(["turn", "over", "turn", "work", "over"]);
  });

  it("let other work in between, and are idle only after the last", async () => {
    const { turns, notes } = open();
    const first = turns.run(async () => notes.push("a"));
    const between = turns.between(async () => notes.push("between"));
    const second = turns.run(async () => notes.push("b"));
    await turns.idle();
    await Promise.all([first, between, second]);
    expect(notes).toEqual(["turn", "a", "b", "over", "between"]);
  });

  it("take nothing up that comes after their beginning", async () => {
    const { turns, notes } = open();
    const later: Promise<unknown>[] = [];
    await turns.run(async () => {
      later.push(turns.run(async () => notes.push("later")));
      return notes.push("first");
    });
    await Promise.all(later);
    await turns.idle();
    expect(notes).toEqual(["turn", "first", "over", "turn", "later", "over"]);
  });
});
