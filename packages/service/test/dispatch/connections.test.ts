import { createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { Agent } from "node:http";
import { attempt } from "../../src/dispatch/attempt.js";
import { openDispatchRoom } from "../support/dispatch-room.js";
import { orderTo } from "../support/order.js";
import { idsOf, startReceiver } from "../support/receiver.js";

const POLL = { timeout: 60_000, interval: 5 };

function keepingAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

describe("a kept connection", () => {
  it("carries one attempt after the other", async () => {
    const receiver = await startReceiver();
    const agent = keepingAgent();
    for (let sent = 0; sent < 3; sent++) {
      expect(await attempt(orderTo(receiver.url, { agent }))).toMatchObject({ status: 200 });
    }
    expect(receiver.connections()).toBe(1);
  });

  it("is not used again after an answer that was not read to its end", async () => {
    const receiver = await startReceiver({
      answer: (response) => void response.end(Buffer.alloc(100_000)),
    });
    const agent = keepingAgent();
    await attempt(orderTo(receiver.url, { agent }));
    await attempt(orderTo(receiver.url, { agent }));
    expect(receiver.connections()).toBe(2);
  });

  it("that the receiver has ended just then does not fail the attempt", async () => {
    const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    let requests = 0;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => {}));
      // Every second request of a connection is answered with its end.
      socket.once("data", () => {
        requests++;
        socket.write(answer);
        socket.once("data", () => socket.destroy());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    const agent = keepingAgent();
    for (let sent = 0; sent < 3; sent++) {
      expect(await attempt(orderTo(url, { agent }))).toMatchObject({ status: 200, error: null });
    }
    expect(requests).toBe(3);
  });
});

describe("connections of the dispatcher", () => {
  it("are kept between deliveries, and end when it is closed", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const dispatcher = room.start();
    for (const [index, id] of ["a", "b", "c"].entries()) {
      await room.queue(application, [id]);
      dispatcher.wake();
      await expect.poll(() => room.notices.length, POLL).toBe(index + 1);
    }
    expect(receiver.requests.map(idsOf)).toEqual([["a"], ["b"], ["c"]]);
    expect(receiver.connections()).toBe(1);
    await dispatcher.close();
    await expect.poll(() => receiver.open(), POLL).toBe(0);
  });

  it("DSP-20 are not used any longer once the rule they were opened under has changed", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const dispatcher = room.start();
    await room.queue(application, ["a"]);
    dispatcher.wake();
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    await room.storage.applications.update(application.id, { allowedDestinations: [] });
    await room.queue(application, ["b"]);
    dispatcher.wake();
    await expect.poll(() => room.notices.length, POLL).toBe(2);
    expect(room.notices[1]).toMatchObject({ error: "DESTINATION_BLOCKED" });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("records of attempts", () => {
  it("are written when the storage works again, and nothing is sent twice meanwhile", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const bodies = Array.from({ length: 20 }, (_, n) => Buffer.from(`[${n}]`));
    await room.storage.deliveries.create(
      application.id,
      bodies.map((body) => ({ body, seqs: [] })),
    );
    let failures = 2;
    const { deliveries } = room.storage;
    room.start(
      {},
      {
        storage: {
          ...room.storage,
          deliveries: {
            ...deliveries,
            recordAttempts: (records) =>
              failures-- > 0
                ? Promise.reject(new Error("no space"))
                : deliveries.recordAttempts(records),
          },
        },
      },
    );
    await expect.poll(async () => (await deliveries.counts()).delivered, POLL).toBe(20);
    expect(receiver.requests.map(({ body }) => body)).toEqual(bodies);
    expect(room.notices.filter(({ type }) => type === "stalled")).toHaveLength(2);
  });

  it("bring about the next attempt without a call from outside", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({
      answer: (response, _, index) => response.writeHead(index < 3 ? 500 : 200).end(),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a"]);
    room.start({ retry: { maxAttempts: 9, firstWaitMs: 10, lastWaitMs: 10 } });
    await expect
      .poll(async () => {
        room.advance(10);
        return (await room.storage.deliveries.counts()).delivered;
      }, POLL)
      .toBe(1);
    expect(receiver.requests).toHaveLength(4);
  });

  it("are gathered, also where one attempt follows the other", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const { deliveries } = room.storage;
    await deliveries.create(
      application.id,
      Array.from({ length: 300 }, () => ({ body: Buffer.from("[]"), seqs: [] })),
    );
    const sizes: number[] = [];
    const recordAttempts: typeof deliveries.recordAttempts = (records) => {
      sizes.push(records.length);
      return deliveries.recordAttempts(records);
    };
    room.start({}, { storage: { ...room.storage, deliveries: { ...deliveries, recordAttempts } } });
    await expect.poll(async () => (await deliveries.counts()).delivered, POLL).toBe(300);
    // About ten; a record for each attempt would be 300.
    expect(sizes.length).toBeLessThan(200);
  });

  it("are written before the dispatcher has closed", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.storage.deliveries.create(
      application.id,
      Array.from({ length: 50 }, () => ({ body: Buffer.from("[]"), seqs: [] })),
    );
    const dispatcher = room.start({ closeGraceMs: 60_000 });
    await expect.poll(() => receiver.requests.length, POLL).toBeGreaterThan(10);
    await dispatcher.close();
    const { delivered } = await room.storage.deliveries.counts();
    expect(delivered).toBe(receiver.requests.length);
  });
});
