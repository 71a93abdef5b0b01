import { verify } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import type { Application } from "../../src/model/application.js";
import type { DeliveryState } from "../../src/model/delivery.js";
import type { Storage } from "../../src/storage/storage.js";
import { type DispatchRoom, eventIds, openDispatchRoom, SECRET } from "../support/dispatch-room.js";
import { idsOf, type Received, startReceiver } from "../support/receiver.js";
import { makeDelivery } from "../support/temporary-storage.js";

const HOUR_MS = 3_600_000;
const POLL = { timeout: 150_000, interval: 5 };

function statesOf({ storage }: DispatchRoom): Promise<DeliveryState[]> {
  return storage.deliveries.list().then((list) => list.map(({ state }) => state).toReversed());
}

/** The storage of a room that counts how often a dispatcher has begun to look through the queues. */
function sweepsOf({ storage }: DispatchRoom): { counting: Storage; begun: () => number } {
  const { outbox } = storage;
  let sweeps = 0;
  const backlog: typeof outbox.backlog = () => {
    sweeps++;
    return outbox.backlog();
  };
  return { counting: { ...storage, outbox: { ...outbox, backlog } }, begun: () => sweeps };
}

async function onlyDelivery({ storage }: DispatchRoom) {
  const [delivery, ...others] = await storage.deliveries.list();
  if (!delivery || others.length > 0) throw new Error(`${others.length} other deliveries`);
  return { ...delivery, log: await storage.deliveries.attemptsOf(delivery.id) };
}

describe("dispatcher", () => {
  it.each([
    [0, 0],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [2_500, 3],
  ])("DSP-02 sends %i events in %i requests, in order", async (count, requests) => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    if (count > 0) await room.queue(application, eventIds(count));
    room.start();
    await expect.poll(async () => (await room.storage.outbox.backlog()).length, POLL).toBe(0);
    await expect.poll(async () => (await room.storage.deliveries.counts()).pending, POLL).toBe(0);
    expect(await statesOf(room)).toEqual(Array(requests).fill("delivered"));
    expect(receiver.requests.flatMap(idsOf)).toEqual(eventIds(count));
    for (const { body, headers } of receiver.requests) {
      expect(verify(body, headers["x-service-integrity"], SECRET)).toBe(true);
    }
  });

  it("DSP-03 keeps every request within the limit of its application", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const large = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(large, eventIds(1_000), 100_000);
    const dispatcher = room.start();
    await expect.poll(() => receiver.requests.length, POLL).toBe(20);
    expect(receiver.requests.flatMap(idsOf)).toEqual(eventIds(1_000));
    for (const { body } of receiver.requests) expect(body.length).toBeLessThanOrEqual(5_242_880);

    const small = await startReceiver({
      answer: (response, { body }) => response.writeHead(body.length > 100_000 ? 413 : 200).end(),
    });
    const picky = await room.addApplication({ webhookUrl: small.url, maxBodyBytes: 100_000 });
    await room.queue(picky, eventIds(300), 1_000);
    dispatcher.wake();
    await expect
      .poll(async () => new Set(await statesOf(room)), POLL)
      .toEqual(new Set(["delivered"]));
  });

  it("reports a payload over the limit and sends it alone", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({
      webhookUrl: receiver.url,
      maxBodyBytes: 1_000,
    });
    await room.queue(application, ["small"]);
    await room.queue(application, ["large"], 2_000);
    room.start();
    await expect.poll(() => receiver.requests.map(idsOf), POLL).toEqual([["small"], ["large"]]);
    expect(room.notices).toContainEqual({
      type: "oversized",
      applicationId: application.id,
      bytes: receiver.requests[1]?.body.length,
      maxBodyBytes: 1_000,
    });
  });

  it("gathers what comes within the wait into one delivery", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const { counting, begun } = sweepsOf(room);
    const dispatcher = room.start({ maxWaitMs: 300 }, { storage: counting });
    for (const id of ["a", "b", "c"]) {
      room.advance(100);
      await room.queue(application, [id]);
      const before = begun();
      dispatcher.wake();
      await expect.poll(begun, POLL).toBeGreaterThan(before);
    }
    room.advance(100);
    dispatcher.wake();
    await expect.poll(() => receiver.requests.map(idsOf), POLL).toEqual([["a", "b", "c"]]);
  });

  it("sends 1,000 at once, however long others may wait", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, eventIds(1_000));
    room.start({ maxWaitMs: 60_000 });
    await expect.poll(() => receiver.requests.length, POLL).toBe(1);
  });

  it("sends 1,000 of several types at once, in a delivery for each type", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({
      webhookUrl: receiver.url,
      oneTypePerCall: true,
    });
    await room.storage.outbox.add(
      application.id,
      Array.from({ length: 1_000 }, (_, index) => {
        const type = index % 2 === 0 ? "pulse" : "test";
        return { type, payload: { service_payload_type: type } } as const;
      }),
    );
    room.start({ maxWaitMs: 60_000 });
    await expect.poll(() => receiver.requests.length, POLL).toBe(2);
  });

  it("keeps types apart where the application asks for it", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({
      webhookUrl: receiver.url,
      oneTypePerCall: true,
    });
    const types = ["security_event", "pulse", "security_event"] as const;
    await room.storage.outbox.add(
      application.id,
      types.map((type) => ({ type, payload: { service_payload_type: type } })),
    );
    room.start();
    await expect.poll(() => receiver.requests.length, POLL).toBe(2);
    const sent = receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as []).length);
    expect(sent).toEqual([2, 1]);
  });

  it.each([300, 301, 308, 400, 404, 413, 429, 500, 503, 599])(
    "DSP-05 DSP-06 schedules a retry after %i and logs where it pointed to",
    async (status) => {
      const room = await openDispatchRoom();
      const receiver = await startReceiver({
        answer: (response) => response.writeHead(status, { location: "/elsewhere" }).end("no"),
      });
      await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["a"]);
      room.start();
      await expect.poll(() => room.notices.length, POLL).toBe(1);
      const { state, attempts, lastStatus, nextAttemptAt, log } = await onlyDelivery(room);
      expect({ state, attempts, lastStatus }).toEqual({
        state: "pending",
        attempts: 1,
        lastStatus: status,
      });
      expect(nextAttemptAt).toBeGreaterThan(room.clock() + 3_000_000);
      expect(log).toMatchObject([{ number: 1, status, location: "/elsewhere", excerpt: "no" }]);
      expect(receiver.requests).toHaveLength(1);
    },
  );

  it("DSP-07 frees the place of a receiver that never answers", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({
      answer: (response, _, index) => void (index > 0 && response.end()),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const dispatcher = room.start({ timeoutMs: 5_000, concurrency: 1 });
    await room.queue(application, ["a"]);
    dispatcher.wake();
    await expect.poll(() => receiver.requests.length, POLL).toBe(1);
    await room.queue(application, ["b"]);
    dispatcher.wake();
    await expect.poll(() => statesOf(room), POLL).toEqual(["pending", "delivered"]);
    expect(room.notices[0]).toMatchObject({ type: "attempt", state: "pending", error: "TIMEOUT" });
  });

  it("DSP-11 repeats with growing waits and gives up after 12 attempts", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({ answer: (response) => response.writeHead(500).end() });
    await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["a"]);
    const dispatcher = room.start();
    const waitsMs: number[] = [];
    const tookMs: number[] = [];
    for (let attempt = 1; attempt < 12; attempt++) {
      await expect.poll(() => room.notices.length, POLL).toBe(attempt);
      const { nextAttemptAt, log } = await onlyDelivery(room);
      waitsMs.push(((nextAttemptAt ?? 0) - (log.at(-1)?.startedAt ?? 0)) / 1000);
      tookMs.push(log.at(-1)?.durationMs ?? 0);
      room.advance(waitsMs.at(-1) ?? 0);
      dispatcher.wake();
    }
    await expect.poll(() => room.notices.length, POLL).toBe(12);

    const delivery = await onlyDelivery(room);
    expect(delivery).toMatchObject({ state: "dead", attempts: 12, nextAttemptAt: null });
    expect(delivery.log.map(({ number }) => number)).toEqual([...Array(13).keys()].slice(1));
    expect(new Set(receiver.requests.map(({ body }) => body.toString("hex"))).size).toBe(1);
    for (const [index, waitMs] of waitsMs.entries()) {
      const base = 5_000 * (4_320 ** 0.1) ** index;
      expect(waitMs).toBeGreaterThanOrEqual(0.8 * base);
      // The time that the attempt itself took is in it.
      expect(waitMs - (tookMs[index] ?? 0)).toBeLessThanOrEqual(1.2 * base + 1_000);
    }
    dispatcher.wake();
    room.advance(7 * HOUR_MS);
    expect(receiver.requests).toHaveLength(12);
  });

  it.each([
    ["120", 120_000, 125_000],
    ["abc", 4_000, 7_000],
    ["-5", 4_000, 7_000],
    ["1000000000000", 3_600_000, 3_601_000],
  ])("DSP-12 honours Retry-After %s within bounds", async (retryAfter, min, max) => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(429, { "retry-after": retryAfter }).end(),
    });
    await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["a"]);
    room.start();
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    const { nextAttemptAt, log } = await onlyDelivery(room);
    const waitMs = ((nextAttemptAt ?? 0) - (log[0]?.startedAt ?? 0)) / 1000;
    expect(waitMs).toBeGreaterThanOrEqual(min);
    expect(waitMs - (log[0]?.durationMs ?? 0)).toBeLessThanOrEqual(max);
  });

  it("DSP-15 sends nothing twice where two dispatchers share one queue", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const ids = eventIds(200);
    const settings = { webhookUrl: receiver.url };
    const applications: Application[] = [];
    for (let made = 0; made < 4; made++) {
      const application = await room.addApplication(settings);
      applications.push(application);
      for (const id of ids.slice(0, 50)) {
        const body = Buffer.from(JSON.stringify([{ made, id }]));
        await makeDelivery(room.storage, application.id, body);
      }
      await room.queue(application, ids);
    }
    const dispatchers = [room.start(), room.start()];
    for (const application of applications) {
      await room.queue(application, ids);
      for (const dispatcher of dispatchers) dispatcher.wake();
    }
    await expect.poll(async () => (await room.storage.outbox.backlog()).length, POLL).toBe(0);
    await expect.poll(async () => (await room.storage.deliveries.counts()).pending, POLL).toBe(0);
    const { delivered } = await room.storage.deliveries.counts();
    expect(receiver.requests).toHaveLength(delivered);
    const elements = receiver.requests.flatMap(
      ({ body }) => JSON.parse(body.toString()) as unknown[],
    );
    expect(elements).toHaveLength(4 * (50 + 2 * 200));
  });

  it("DSP-16 delivers to a healthy endpoint while another one hangs", async () => {
    const room = await openDispatchRoom();
    const hanging = await startReceiver({ answer: () => {} });
    const healthy = await startReceiver();
    const a = await room.addApplication({ webhookUrl: hanging.url });
    const b = await room.addApplication({ webhookUrl: healthy.url });
    // The attempts that hang outlast the test: what comes behind them would never come.
    const dispatcher = room.start({ maxWaitMs: 100, timeoutMs: 600_000, closeGraceMs: 0 });
    for (let round = 0; round < 40; round++) {
      await room.queue(a, [`a${round}`]);
      await room.queue(b, [`b${round}`]);
      room.advance(100);
      dispatcher.wake();
      await expect.poll(() => healthy.requests.flatMap(idsOf).length, POLL).toBe(round + 1);
    }
    expect(hanging.requests.length).toBeLessThanOrEqual(4);
    expect(hanging.open()).toBe(hanging.requests.length);
  });

  it("DSP-17 signs a later attempt with the secret of that time", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({
      answer: (response, _, index) => response.writeHead(index === 0 ? 500 : 200).end(),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a"]);
    const dispatcher = room.start();
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    await room.storage.applications.rotateSecret(application.id, {
      value: "hook-secret-2",
      overlapMs: 0,
    });
    room.advance(10_000);
    dispatcher.wake();
    await expect.poll(() => statesOf(room), POLL).toEqual(["delivered"]);
    const [first, second] = receiver.requests;
    const isBy = (request: Received | undefined, secret: string): boolean =>
      request !== undefined && verify(request.body, request.headers["x-service-integrity"], secret);
    expect([isBy(first, SECRET), isBy(second, SECRET)]).toEqual([true, false]);
    expect(isBy(second, "hook-secret-2")).toBe(true);
    expect(second?.body).toEqual(first?.body);
  });

  it("signs with the old secret until the overlap of a rotation ends", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const dispatcher = room.start();
    const send = async (id: string): Promise<string[]> => {
      const before = receiver.requests.length;
      await room.queue(application, [id]);
      dispatcher.wake();
      await expect.poll(() => receiver.requests.length, POLL).toBe(before + 1);
      const sent = receiver.requests.at(-1);
      const signature = sent?.headers["x-service-integrity"];
      return [SECRET, "hook-secret-2", "hook-secret-3"].filter(
        (one) => sent !== undefined && verify(sent.body, signature, one),
      );
    };
    const { applications } = room.storage;
    await applications.rotateSecret(application.id, { value: "hook-secret-2", overlapMs: HOUR_MS });
    expect(await send("a")).toEqual([SECRET]);
    room.advance(HOUR_MS);
    expect(await send("b")).toEqual(["hook-secret-2"]);
    await applications.rotateSecret(application.id, { value: "hook-secret-3" });
    expect(await send("c")).toEqual(["hook-secret-2"]);
    await applications.finishRotation(application.id);
    expect(await send("d")).toEqual(["hook-secret-3"]);
  });

  it("DSP-18 keeps applications apart", async () => {
    const room = await openDispatchRoom();
    const receivers = [await startReceiver(), await startReceiver()];
    const secrets = ["secret-of-a", "secret-of-b"];
    const applications: Application[] = [];
    for (const [index, { url }] of receivers.entries()) {
      const application = await room.addApplication({ webhookUrl: url });
      await room.storage.applications.rotateSecret(application.id, {
        value: secrets[index] ?? "",
        overlapMs: 0,
      });
      applications.push(application);
    }
    const dispatcher = room.start();
    // Fifty at a time, so that the disk is not asked a thousand times.
    for (let round = 0; round < 500; round += 50) {
      await room.storage.transaction(async ({ outbox }) => {
        for (let step = round; step < round + 50; step++) {
          for (const [index, { id }] of applications.entries()) {
            const payload = {
              service_payload_type: "security_event",
              event_id: `${index}:${step}`,
            };
            await outbox.add(id, [{ type: "security_event", payload }]);
          }
        }
      });
      dispatcher.wake();
    }
    for (const [index, { requests }] of receivers.entries()) {
      const expected = Array.from({ length: 500 }, (_, round) => `${index}:${round}`);
      await expect.poll(() => requests.flatMap(idsOf), POLL).toEqual(expected);
      for (const { body, headers } of requests) {
        expect(verify(body, headers["x-service-integrity"], secrets[index] ?? "")).toBe(true);
      }
    }
  });

  it("DSP-20 opens no connection to what is neither public nor allowed", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({
      webhookUrl: receiver.url,
      allowedDestinations: [],
    });
    await room.queue(application, ["a"]);
    room.start();
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    expect(await onlyDelivery(room)).toMatchObject({
      state: "pending",
      lastError: "DESTINATION_BLOCKED",
    });
    expect(receiver.connections()).toBe(0);
  });

  it("DSP-20 never delivers to itself, whatever is allowed", async () => {
    const room = await openDispatchRoom();
    const self = await startReceiver();
    await room.queue(await room.addApplication({ webhookUrl: self.url }), ["a"]);
    room.start({}, { listeners: () => [{ address: "0.0.0.0", port: self.port }] });
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    expect((await onlyDelivery(room)).lastError).toBe("DESTINATION_BLOCKED");
    expect(self.connections()).toBe(0);
  });

  it("DSP-21 sends only the types and kinds that are enabled", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({
      webhookUrl: receiver.url,
      payloadTypes: ["security_event", "pulse"],
      eventKinds: ["xss"],
    });
    const payloads = [
      { service_payload_type: "security_event", event_kind: "xss", event_id: "wanted" },
      { service_payload_type: "security_event", event_kind: "lfi", event_id: "other kind" },
      { service_payload_type: "security_event", event_id: "no kind" },
      { service_payload_type: "security_response", event_id: "other type" },
      { service_payload_type: "pulse", event_id: "wanted too" },
    ] as const;
    await room.storage.outbox.add(
      application.id,
      payloads.map((payload) => ({
        type: payload.service_payload_type,
        kind: "event_kind" in payload ? payload.event_kind : undefined,
        payload,
      })),
    );
    room.start();
    await expect.poll(() => receiver.requests.map(idsOf), POLL).toEqual([["wanted", "wanted too"]]);
    expect(room.notices).not.toContainEqual(expect.objectContaining({ type: "dropped" }));
    expect(await room.storage.outbox.backlog()).toEqual([]);
  });

  it.each([
    ["disabled", (room: DispatchRoom, id: string) => room.storage.applications.disable(id, "x")],
    ["deleted", (room: DispatchRoom, id: string) => room.storage.applications.delete(id)],
    [
      "left without a URL",
      (room: DispatchRoom, id: string) =>
        room.storage.applications.update(id, { webhookUrl: null }),
    ],
  ])("DSP-22 cancels what is pending of an application that is %s", async (_, end) => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({ answer: (response) => response.writeHead(500).end() });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a"]);
    const dispatcher = room.start();
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    await room.queue(application, ["b"]);
    await end(room, application.id);
    room.advance(HOUR_MS);
    dispatcher.wake();
    await expect.poll(() => statesOf(room), POLL).toEqual(["cancelled"]);
    await expect.poll(() => room.storage.outbox.backlog(), POLL).toEqual([]);
    expect(receiver.requests).toHaveLength(1);
  });

  it("DSP-22 cancels again what is sent again by hand for a disabled application", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a"]);
    const dispatcher = room.start();
    await expect.poll(() => statesOf(room), POLL).toEqual(["delivered"]);
    await room.storage.applications.disable(application.id, "maintenance");
    await dispatcher.retry((await onlyDelivery(room)).id);
    await expect.poll(() => statesOf(room), POLL).toEqual(["cancelled"]);
    expect(receiver.requests).toHaveLength(1);
  });

  it("DSP-22 does not revive a delivery that is cancelled while it is being sent", async () => {
    const room = await openDispatchRoom();
    let answer = (): void => {};
    const receiver = await startReceiver({
      answer: (response) => void (answer = () => response.writeHead(500).end()),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a"]);
    room.start();
    await expect.poll(() => receiver.requests.length, POLL).toBe(1);
    await room.storage.applications.disable(application.id, "maintenance");
    answer();
    await expect
      .poll(() => room.notices, POLL)
      .toMatchObject([{ type: "attempt", state: "cancelled" }]);
    expect(await statesOf(room)).toEqual(["cancelled"]);
  });

  it("DSP-23 says nothing of secrets and payloads", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({
      answer: (response, { body }) => response.writeHead(400).end(`${body.toString()} ${SECRET}`),
    });
    await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["ada@shop.example"]);
    room.start();
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    const said = JSON.stringify([room.notices, await onlyDelivery(room)]);
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain("ada@shop.example");
    expect(said).not.toContain(receiver.requests[0]?.headers["x-service-integrity"]);
  });

  it("disables an endpoint that has failed for days", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({ answer: (response) => response.writeHead(500).end() });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const retry = { maxAttempts: 2, firstWaitMs: 1_000, lastWaitMs: 1_000 };
    const dispatcher = room.start({ retry });
    const failTwice = async (id: string): Promise<void> => {
      const before = room.notices.length;
      await room.queue(application, [id]);
      dispatcher.wake();
      await expect.poll(() => room.notices.length, POLL).toBe(before + 1);
      room.advance(2_000);
      dispatcher.wake();
      await expect.poll(() => room.notices.length, POLL).toBeGreaterThanOrEqual(before + 2);
    };
    await failTwice("a");
    expect((await room.storage.applications.get(application.id))?.disabledAt).toBeNull();
    room.advance(121 * HOUR_MS);
    await failTwice("b");
    await expect.poll(() => room.notices.at(-1), POLL).toMatchObject({ type: "disabled" });
    expect(await room.storage.applications.get(application.id)).toMatchObject({
      disabledAt: expect.any(Number) as unknown,
      disabledReason: "no delivery succeeded for 121 hours",
    });
  });

  it("spares a failing endpoint new deliveries, and catches up in full ones", async () => {
    const room = await openDispatchRoom();
    let status = 500;
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(status).end(),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const witness = await startReceiver();
    const other = await room.addApplication({ webhookUrl: witness.url });
    const dispatcher = room.start();
    for (const [index, id] of ["a", "b", "c"].entries()) {
      await room.queue(application, [id]);
      dispatcher.wake();
      await expect.poll(() => room.notices.length, POLL).toBe(index + 1);
    }
    await room.queue(application, ["d"]);
    await room.queue(application, ["e"]);
    status = 200;
    // Looked at by the same sweep.
    await room.queue(other, ["w"]);
    dispatcher.wake();
    await expect.poll(() => witness.requests.length, POLL).toBe(1);
    expect(receiver.requests).toHaveLength(3);
    room.advance(10_000);
    dispatcher.wake();
    await expect
      .poll(() => new Set(receiver.requests.slice(3).map((one) => idsOf(one).join(""))), POLL)
      .toEqual(new Set(["a", "b", "c", "de"]));
  });

  it("gathers what comes while a delivery waits for its turn", async () => {
    const room = await openDispatchRoom();
    const answers: (() => void)[] = [];
    const receiver = await startReceiver({
      answer: (response) => void answers.push(() => response.end()),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const { counting, begun } = sweepsOf(room);
    const dispatcher = room.start({}, { storage: counting });
    const made = () => room.storage.deliveries.list().then((list) => list.length);
    for (const [index, id] of ["a", "b"].entries()) {
      await room.queue(application, [id]);
      dispatcher.wake();
      await expect.poll(made, POLL).toBe(index + 1);
    }
    for (const id of ["c", "d", "e"]) {
      await room.queue(application, [id]);
      const before = begun();
      dispatcher.wake();
      await expect.poll(begun, POLL).toBeGreaterThan(before);
    }
    expect(await made()).toBe(2);
    for (let request = 0; request < 3; request++) {
      await expect.poll(() => answers.length, POLL).toBe(request + 1);
      answers[request]?.();
    }
    expect(receiver.requests.map(idsOf)).toEqual([["a"], ["b"], ["c", "d", "e"]]);
    await expect
      .poll(async () => new Set(await statesOf(room)), POLL)
      .toEqual(new Set(["delivered"]));
  });

  it("lets a retry pass by without holding up first attempts", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({
      answer: (response, request) =>
        response.writeHead(idsOf(request)[0] === "bad" ? 500 : 200).end(),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const dispatcher = room.start();
    for (const [index, id] of ["bad", "a", "b"].entries()) {
      await room.queue(application, [id]);
      dispatcher.wake();
      await expect.poll(() => room.notices.length, POLL).toBe(index + 1);
    }
    expect(await statesOf(room)).toEqual(["pending", "delivered", "delivered"]);
  });

  it("sends a finished delivery again on demand, byte for byte", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["a"]);
    const dispatcher = room.start();
    await expect.poll(() => statesOf(room), POLL).toEqual(["delivered"]);
    const { id } = await onlyDelivery(room);
    expect(await dispatcher.retry(id)).toMatchObject({ id, state: "pending" });
    await expect.poll(() => receiver.requests.length, POLL).toBe(2);
    await expect.poll(() => statesOf(room), POLL).toEqual(["delivered"]);
    expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body);
    expect((await onlyDelivery(room)).log).toHaveLength(2);
    expect(await dispatcher.retry("0".repeat(32))).toBeUndefined();
  });

  it("sends a test payload on demand", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    const id = await room.start().sendTest(application.id);
    await expect.poll(() => receiver.requests.length, POLL).toBe(1);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(receiver.requests[0]?.body.toString() ?? "")).toMatchObject([
      { service_payload_type: "test", id, application_id: application.id, risk: 42 },
    ]);
  });

  it("drops a damaged payload and sends the others", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a", "b", "c"]);
    const damaged: Storage = {
      ...room.storage,
      transaction: (work) =>
        room.storage.transaction((inside) =>
          work({
            ...inside,
            outbox: {
              ...inside.outbox,
              async take(id, limit) {
                const { entries, hasMore } = await inside.outbox.take(id, limit);
                return {
                  entries: entries.map((entry, index) =>
                    index === 1 ? { ...entry, isDamaged: true } : entry,
                  ),
                  hasMore,
                };
              },
            },
          }),
        ),
    };
    room.start({}, { storage: damaged });
    await expect.poll(() => receiver.requests.map(idsOf), POLL).toEqual([["a", "c"]]);
    expect(room.notices).toContainEqual({
      type: "dropped",
      applicationId: application.id,
      count: 1,
    });
  });

  it.each([
    ["has no URL", { webhookUrl: null }],
    ["does not take them", { webhookUrl: "https://hooks.example/", payloadTypes: ["pulse"] }],
  ] as const)("refuses to send a test payload where the application %s", async (_, settings) => {
    const room = await openDispatchRoom();
    const application = await room.addApplication(settings);
    const sending = room.start().sendTest(application.id);
    await expect(sending).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(await room.storage.outbox.backlog()).toEqual([]);
  });

  it("logs an attempt without a secret as failed", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    const application = await room.storage.applications.create({
      name: "Shop",
      webhookUrl: receiver.url,
    });
    await room.queue(application, ["a"]);
    room.start();
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    expect(await onlyDelivery(room)).toMatchObject({
      state: "pending",
      lastError: "SECRET_MISSING",
    });
  });

  it("goes on by itself after the storage has failed", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver();
    await room.queue(await room.addApplication({ webhookUrl: receiver.url }), ["a"]);
    let failures = 2;
    const faulty: Storage = {
      ...room.storage,
      transaction: (work) =>
        failures-- > 0 ? Promise.reject(new Error("no space")) : room.storage.transaction(work),
    };
    room.start({}, { storage: faulty });
    await expect.poll(() => statesOf(room), POLL).toEqual(["delivered"]);
    await expect
      .poll(() => room.notices.map(({ type }) => type), POLL)
      .toEqual(["stalled", "stalled", "attempt"]);
    expect(room.notices[0]).toMatchObject({ error: { code: "STORE_FAILED" } });
  });

  it("gives back what it has not sent when it is closed", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({ answer: () => {} });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    for (const id of ["a", "b", "c"]) {
      const body = Buffer.from(`[{"event_id":"${id}"}]`);
      await makeDelivery(room.storage, application.id, body);
    }
    const dispatcher = room.start({ closeGraceMs: 200 });
    await expect.poll(() => receiver.requests.length, POLL).toBe(1);
    await Promise.all([dispatcher.close(), dispatcher.close()]);
    await expect.poll(() => receiver.open(), POLL).toBe(0);
    // Neither attempted nor leased: the next start sends them at once, in order.
    expect(await room.storage.deliveries.list()).toMatchObject(
      ["c", "b", "a"].map(() => ({ state: "pending", attempts: 0 })),
    );
    const again = room.start({ closeGraceMs: 0 });
    await expect.poll(() => receiver.requests.length, POLL).toBe(2);
    await again.close();
    expect(receiver.requests.map(idsOf)).toEqual([["a"], ["a"]]);
  });

  it("lets an attempt under way end when it is closed, and begins no other", async () => {
    const room = await openDispatchRoom();
    let answer = (): void => {};
    const receiver = await startReceiver({
      answer: (response) => void (answer = () => response.end()),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.storage.deliveries.create(
      application.id,
      ["[1]", "[2]", "[3]"].map((body) => ({ body: Buffer.from(body), seqs: [] })),
    );
    const dispatcher = room.start({ closeGraceMs: 60_000 });
    await expect.poll(() => receiver.requests.length, POLL).toBe(1);
    const closing = dispatcher.close();
    answer();
    await closing;
    expect(await statesOf(room)).toEqual(["delivered", "pending", "pending"]);
    expect(receiver.requests).toHaveLength(1);
  });
});
