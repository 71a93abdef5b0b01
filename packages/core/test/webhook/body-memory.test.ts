import { describe, expect, it } from "vitest";
import { ArrivingBody, BodyMemory } from "../../src/webhook/body-memory.js";
import { headersOf, mounted } from "../support/mounted.js";
import { openRaw, post } from "../support/raw-client.js";
import { until } from "../support/until.js";
import { vector } from "../support/vectors.js";

const { body: good } = vector("V3");
const WRONG = "0".repeat(64);

const never = (): void => {
  throw new Error("it was not to be given up");
};

describe("ArrivingBody", () => {
  it.each([
    ["one piece", [10]],
    ["no piece", []],
    ["single bytes", Array<number>(300).fill(1)],
    ["pieces of any size", [0, 7, 1, 0, 200, 64, 3]],
  ])("gives back what came in %s, its length known or not", (_, sizes) => {
    const pieces = sizes.map((size, n) => Buffer.alloc(size, n + 1));
    const whole = Buffer.concat(pieces);
    for (const expected of [undefined, whole.length, 1]) {
      const body = new ArrivingBody(new BodyMemory(4096), 1024, never, expected);
      for (const piece of pieces) expect(body.add(piece)).toBeUndefined();
      expect(Buffer.from(body.take())).toEqual(whole);
    }
  });

  it("keeps no piece that it does not give away at once", () => {
    const body = new ArrivingBody(new BodyMemory(4096), 1024, never, 20);
    const piece = Buffer.from("0123456789");
    body.add(piece);
    piece.fill("x");
    body.add(Buffer.from("0123456789"));
    expect(body.take().toString()).toBe("01234567890123456789");
  });

  it("R22 never holds more than twice its bytes, whatever was announced", () => {
    for (const expected of [undefined, 1_000_000]) {
      const memory = new BodyMemory(1_000_000);
      const body = new ArrivingBody(memory, 1_000_000, never, expected);
      const rest = { giveUp: never };
      for (let size = 1; size <= 1000; size++) {
        body.add(Buffer.from("x"));
        expect(memory.hold(rest, 1_000_000 - 2 * size)).toBe(true);
        memory.free(rest);
      }
    }
  });

  it("frees its memory once, whole or not", () => {
    const memory = new BodyMemory(100);
    const body = new ArrivingBody(memory, 100, never);
    body.add(Buffer.alloc(60));
    body.take();
    body.take();
    expect(memory.hold({ giveUp: never }, 101)).toBe(false);
    expect(memory.hold({ giveUp: never }, 100)).toBe(true);
  });

  it("is given up for what comes later, the oldest first, and never for itself", () => {
    const memory = new BodyMemory(100);
    const givenUp: string[] = [];
    const begin = (name: string): ArrivingBody =>
      new ArrivingBody(memory, 100, () => givenUp.push(name));
    const [first, second, third] = [begin("first"), begin("second"), begin("third")];
    expect(first.add(Buffer.alloc(50))).toBeUndefined();
    expect(second.add(Buffer.alloc(40))).toBeUndefined();
    expect(third.add(Buffer.alloc(40))).toBeUndefined();
    expect(givenUp).toEqual(["first"]);
    // The second is the oldest now.
    expect(second.add(Buffer.alloc(40))).toBe("RECEIVER_BUSY");
    second.take();
    expect(third.add(Buffer.alloc(10))).toBeUndefined();
    expect(givenUp).toEqual(["first"]);
  });
});

describe("all bodies of an endpoint", () => {
  /** Half of a body whose signature is made up: it stays until its time is over. */
  const half = (bytes: number): Buffer =>
    post({ ...headersOf(good, WRONG), "Content-Length": String(2 * bytes) }, "x".repeat(bytes));

  it("R22 WHR-37 share a bound, past which the one that takes longest is asked to come back", async () => {
    const errors: string[] = [];
    const onError = ({ code }: { code: string }): void => void errors.push(code);
    const { port, requests, handled } = await mounted({
      maxBytes: 1000,
      maxTotalBytes: 1000,
      bodyTimeoutMs: 60_000,
      onError,
    });
    const holders = [await openRaw(port), await openRaw(port)];
    for (const [index, { socket }] of holders.entries()) {
      socket.write(half(480));
      await until(() => requests.length === index + 1);
    }
    // Whoever sends at once is not kept out by those that hold what they have begun.
    const connection = await openRaw(port);
    const late = Buffer.from(good.toString().padEnd(200, " "));
    connection.socket.write(post(headersOf(late), late));
    expect((await connection.answer()).status).toBe(204);
    expect(handled).toHaveLength(1);
    const answer = await holders.at(0)!.answer();
    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect(answer.body).toContain("RECEIVER_BUSY");
    expect(errors).toEqual(["RECEIVER_BUSY"]);
    for (const { socket } of holders) socket.destroy();
  });

  it("WHR-37 free what they held, however they end", async () => {
    const limits = { maxBytes: 1000, maxTotalBytes: 1000, bodyTimeoutMs: 100 };
    const { port, send, requests } = await mounted(limits);
    const full = Buffer.from(good.toString().padEnd(1000, " "));
    const ends = [
      async () => expect((await send(post(headersOf(full, WRONG), full))).status).toBe(401),
      async () => expect((await send(half(500))).status).toBe(408),
      async () => {
        const chunked: Record<string, string> = {
          ...headersOf(full),
          "Transfer-Encoding": "chunked",
        };
        delete chunked["Content-Length"];
        const text = `3e8\r\n${"x".repeat(1000)}\r\n1\r\nx\r\n`;
        expect((await send(post(chunked, text))).status).toBe(413);
      },
      async () => {
        const count = requests.length;
        const connection = await openRaw(port);
        connection.socket.write(half(500));
        await until(() => requests.length > count);
        connection.socket.destroy();
        await until(() => requests.at(count)?.destroyed ?? false);
      },
    ];
    for (const end of ends) {
      await end();
      expect((await send(post(headersOf(full), full))).status).toBe(204);
    }
  });
});
