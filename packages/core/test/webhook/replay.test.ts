import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createReceiver, type ReceiverOptions } from "../../src/webhook/receiver.js";
import { sign } from "../../src/webhook/signature.js";
import { signStandard } from "../../src/webhook/standard-signature.js";
import { thrown } from "../support/caught.js";
import { SECRET } from "../support/vectors.js";

const NOW = Date.UTC(2027, 0, 15, 12);
const WITHOUT_ID = [{ service_payload_type: "test" }, { service_payload_type: "test" }];

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function delivered(payloads: unknown, { id = "d-1", secret = SECRET, atMs = Date.now() } = {}) {
  const body = Buffer.from(JSON.stringify(payloads));
  const signed = signStandard({ id, seconds: Math.floor(atMs / 1000), body }, [secret]);
  const standard = {
    id: signed["webhook-id"],
    timestamp: signed["webhook-timestamp"],
    signature: signed["webhook-signature"],
  };
  return { body, signature: sign(body, secret), standard };
}

function counting(options: Partial<ReceiverOptions> = {}) {
  const handled: unknown[] = [];
  const take = (payload: unknown) => handled.push(payload);
  const on = options.scheme === "standard" ? { test: take, message: take } : { test: take };
  return { handled, receiver: createReceiver({ secrets: SECRET, on, ...options }) };
}

describe("a replayed delivery", () => {
  it("is handled once within the window, and refused after it", async () => {
    const { handled, receiver } = counting();
    const delivery = delivered(WITHOUT_ID);
    const receipts = [await receiver.receive(delivery)];
    vi.setSystemTime(NOW + 299_000);
    receipts.push(await receiver.receive(delivery));
    vi.setSystemTime(NOW + 301_000);
    receipts.push(await receiver.receive(delivery));
    expect(receipts).toMatchObject([
      { status: 204, handled: 2, duplicates: 0 },
      { status: 204, handled: 0, duplicates: 2 },
      { status: 401, code: "TIMESTAMP_INVALID", handled: 0 },
    ]);
    expect(handled).toHaveLength(2);
  });

  it("is not recognised by its time without the new headers", async () => {
    const { standard: _, ...bare } = delivered([{ service_payload_type: "test", id: "a" }]);
    vi.setSystemTime(NOW + 3_600_000);
    expect((await counting().receiver.receive(bare)).status).toBe(204);
  });

  it("is refused without the new headers if they are required", async () => {
    const { handled, receiver } = counting({ requireTimestamp: true });
    const { standard: _, ...bare } = delivered(WITHOUT_ID);
    expect(await receiver.receive(bare)).toMatchObject({ status: 401, code: "TIMESTAMP_INVALID" });
    expect((await receiver.receive(delivered(WITHOUT_ID))).status).toBe(204);
    expect(handled).toHaveLength(2);
  });

  it.each([
    [60_000, -59_000, 204],
    [60_000, 59_000, 204],
    [60_000, -61_000, 401],
    [60_000, 61_000, 401],
  ])("is checked within %i ms: a delivery of %i ms from now gets %i", async (ms, by, status) => {
    const { receiver } = counting({ replayWindowMs: ms });
    const delivery = delivered(WITHOUT_ID, { atMs: NOW + by });
    expect((await receiver.receive(delivery)).status).toBe(status);
  });

  it("runs a handler again that failed", async () => {
    let failures = 1;
    const on = {
      test() {
        if (failures-- > 0) throw new Error("the database is down");
      },
    };
    const receiver = createReceiver({ secrets: SECRET, on, onError() {} });
    const delivery = delivered([{ service_payload_type: "test" }]);
    expect((await receiver.receive(delivery)).status).toBe(500);
    expect(await receiver.receive(delivery)).toMatchObject({ status: 204, handled: 1 });
  });
});

describe("the scheme of a service", () => {
  it.each<[string, object]>([
    ["signature", { signature: `v1,${"A".repeat(43)}=` }],
    ["id", { id: "d-2" }],
    ["form of the time", { timestamp: "now" }],
    ["missing id", { id: undefined }],
  ])("refuses a right digest beside a wrong %s", async (_, change) => {
    const { handled, receiver } = counting();
    const delivery = delivered(WITHOUT_ID);
    const standard = { ...delivery.standard, ...change };
    expect(await receiver.receive({ ...delivery, standard })).toMatchObject({
      status: 401,
      code: "SIGNATURE_INVALID",
    });
    expect(handled).toEqual([]);
  });

  it("requires the digest, even if the other signature is right", async () => {
    const { body, standard } = delivered(WITHOUT_ID);
    const { receiver } = counting();
    for (const signature of [undefined, "0".repeat(64)]) {
      expect((await receiver.receive({ body, signature, standard })).status).toBe(401);
    }
  });

  it("accepts both secrets of a rotation", async () => {
    const { receiver } = counting({ secrets: [SECRET, "the next secret"] });
    const body = Buffer.from('[{"service_payload_type":"test"}]');
    const seconds = NOW / 1000;
    const both = signStandard({ id: "d", seconds, body }, [SECRET, "the next secret"]);
    const standard = {
      id: "d",
      timestamp: String(seconds),
      signature: both["webhook-signature"],
    };
    const receipt = await receiver.receive({ body, signature: sign(body, SECRET), standard });
    expect(receipt).toMatchObject({ status: 204, secretId: "0" });
  });
});

describe("the scheme standard", () => {
  it("needs no digest, and passes one object to the handler `message`", async () => {
    const { handled, receiver } = counting({ scheme: "standard" });
    const message = { type: "user.created", data: { id: "user_1" } };
    const { body, standard } = delivered(message);
    expect(await receiver.receive({ body, standard })).toMatchObject({ status: 204, handled: 1 });
    expect(await receiver.receive({ body, standard })).toMatchObject({ duplicates: 1 });
    const again = delivered(message, { id: "d-2" });
    expect(await receiver.receive(again)).toMatchObject({ handled: 1 });
    expect(handled).toEqual([message, message]);
  });

  it("still knows our payloads, as one object and as an array", async () => {
    const { handled, receiver } = counting({ scheme: "standard" });
    const payload = { service_payload_type: "test", id: "a" };
    await receiver.receive(delivered([payload]));
    await receiver.receive(delivered({ ...payload, id: "b" }, { id: "d-2" }));
    expect(handled).toMatchObject([payload, { ...payload, id: "b" }]);
  });

  it.each<[string, object]>([
    ["no signature", { standard: undefined }],
    ["only a digest", { standard: undefined, signature: "0".repeat(64) }],
    ["a wrong secret", delivered([], { secret: "another secret" })],
    ["no time", { standard: { ...delivered([]).standard, timestamp: undefined } }],
  ])("refuses %s", async (_, change) => {
    const { receiver } = counting({ scheme: "standard" });
    expect((await receiver.receive({ ...delivered([]), ...change })).status).toBe(401);
  });

  it.each(["1", '"x"', "{", "{}{}", "null"])("refuses the body %s", async (text) => {
    const body = Buffer.from(text);
    const signed = signStandard({ id: "d", seconds: NOW / 1000, body }, [SECRET]);
    const standard = {
      id: "d",
      timestamp: signed["webhook-timestamp"],
      signature: signed["webhook-signature"],
    };
    const { receiver } = counting({ scheme: "standard" });
    expect((await receiver.receive({ body, standard })).status).toBe(400);
  });

  it("has the handler `message` in place of `unknown`", () => {
    const make = (options: object) => () =>
      createReceiver({ secrets: SECRET, ...options } as ReceiverOptions);
    expect(thrown(make({ scheme: "standard", on: { unknown() {} } })).code).toBe("CONFIG_INVALID");
    expect(thrown(make({ on: { message() {} } })).code).toBe("CONFIG_INVALID");
    expect(thrown(make({ scheme: "svix", on: { test() {} } })).message).toMatch(/^`scheme` must/);
  });
});
