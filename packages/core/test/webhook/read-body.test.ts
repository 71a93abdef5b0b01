import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { sign } from "../../src/webhook/signature.js";
import { headersOf, mounted } from "../support/mounted.js";
import { openRaw, post } from "../support/raw-client.js";
import { SECRET, vector } from "../support/vectors.js";

const { body: good } = vector("V3");

/** A delivery in two segments, as the network may cut any. */
const segments = (body: Buffer, signature?: string): [Buffer, Buffer] => [
  post(headersOf(body, signature), body.subarray(0, 5)),
  body.subarray(5),
];

const nothing = (): void => {};

describe("a stream in any state", () => {
  it.each<[string, (request: IncomingMessage) => unknown, 204 | 500]>([
    ["is untouched", nothing, 204],
    ["has an encoding", (request) => void request.setEncoding("utf8"), 500],
    ["has an encoding that loses nothing", (request) => void request.setEncoding("latin1"), 500],
    [
      "gets an encoding while it is read",
      (request) => later(() => request.setEncoding("utf8")),
      500,
    ],
    ["flows to another listener", (request) => void request.on("data", nothing), 204],
    ["was resumed", (request) => void request.resume(), 204],
    ["was paused", (request) => void request.pause(), 204],
    [
      "was paused when its data came",
      async (request) => {
        request.pause();
        await pause(10);
      },
      204,
    ],
    ["flows into another stream", (request) => void request.pipe(new PassThrough().resume()), 204],
    ["has flowed into another stream", piped, 500],
    ["is read by pieces", (request) => void request.on("readable", () => request.read()), 500],
    ["is waited for", (request) => void request.on("readable", nothing), 500],
    ["is iterated", (request) => void iterate(request), 500],
    ["was iterated", iterate, 500],
    ["has data that was given back", givenBack, 500],
    ["was read as text", async (request) => void (await text(request)), 500],
    ["has a parsed body", async (request) => parsed(request, JSON.parse), 500],
    ["has a body of text", async (request) => parsed(request, String), 500],
    [
      "has bytes in place of itself",
      async (request) => parsed(request, (text) => Buffer.from(text)),
      204,
    ],
  ])("that %s gets a verdict over the bytes, or none", async (_, before, status) => {
    const { send, handled } = await mounted({}, before);
    const answer = await send(...segments(good));
    expect(answer.status).toBe(status);
    if (status === 500) expect(answer.body).toContain("RAW_BODY_UNAVAILABLE");
    expect(handled).toHaveLength(status === 204 ? 1 : 0);
    const forged = await send(...segments(good, "0".repeat(64)));
    expect(forged.status).toBe(status === 204 ? 401 : 500);
  });

  it("that loses bytes to an encoding gets no verdict over what is left", async () => {
    const sent = Buffer.concat([Buffer.from("["), Buffer.from([0xff]), Buffer.from("]   ")]);
    const decoded = sign(Buffer.from(sent.toString()), SECRET);
    const { send } = await mounted({}, (request) => void request.setEncoding("utf8"));
    for (const pieces of [segments(sent, decoded), [post(headersOf(sent, decoded), sent)]]) {
      expect((await send(...pieces)).status).toBe(500);
    }
  });

  it("that was given up ends as such", async () => {
    const { port, handled } = await mounted({}, (request) => void request.destroy());
    const connection = await openRaw(port);
    connection.socket.write(post(headersOf(good), good));
    await connection.closed;
    expect(handled).toEqual([]);
  });

  it("that its sender gave up before the route ends as such", async () => {
    let gone = nothing;
    const left = new Promise<void>((resolve) => (gone = resolve));
    const { port, handled, requests } = await mounted({}, async (request) => {
      request.once("close", gone);
      await left;
    });
    const connection = await openRaw(port);
    connection.socket.write(segments(good)[0]);
    await expect.poll(() => requests.length).toBe(1);
    connection.socket.destroy();
    await left;
    await pause(10);
    expect(handled).toEqual([]);
  });
});

/** Act once the route is reading. */
function later(act: () => unknown): void {
  setImmediate(act);
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let whole = "";
  for await (const piece of stream.setEncoding("utf8")) whole += String(piece);
  return whole;
}

async function iterate(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

async function piped(request: IncomingMessage): Promise<void> {
  await text(request.pipe(new PassThrough()));
}

/** Look at the first bytes, as what guesses a type does. */
async function givenBack(request: IncomingMessage): Promise<void> {
  request.unshift(await new Promise<Buffer>((resolve) => request.once("data", resolve)));
}

async function parsed(request: IncomingMessage, parse: (text: string) => unknown): Promise<void> {
  Object.assign(request, { body: parse(await text(request)) });
}
