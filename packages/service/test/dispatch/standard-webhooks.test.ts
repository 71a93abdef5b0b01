import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createReceiver, sign } from "@riskgate/core";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { openDispatchRoom, SECRET } from "../support/dispatch-room.js";
import { type Received, startReceiver } from "../support/receiver.js";

const POLL = { timeout: 60_000, interval: 5 };
const PYTHON = fileURLToPath(new URL("../support/verify-standard.py", import.meta.url));
const NEXT = `whsec_${Buffer.from("the secret after the next deploy").toString("base64")}`;

/** Queues one event, and returns the request that delivers it. */
async function deliveredOnce({ rotated = false } = {}): Promise<Received> {
  const room = await openDispatchRoom();
  const receiver = await startReceiver();
  const { id } = await room.addApplication({ webhookUrl: receiver.url });
  if (rotated) await room.storage.applications.rotateSecret(id, { value: NEXT });
  const application = (await room.storage.applications.get(id))!;
  await room.queue(application, ["\u00e9vent"]);
  room.start();
  await expect.poll(() => receiver.requests.length, POLL).toBe(1);
  return receiver.requests.at(0)!;
}

const raw = (secret: string) => `whsec_${Buffer.from(secret).toString("base64")}`;

function verifyByPython({ headers, body }: Received, secret: string): number | null {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = headers;
  const values = [secret, id, time, signature].map(String);
  return spawnSync("python3", [PYTHON, ...values], { input: body }).status;
}

describe("a delivery of the service", () => {
  it("passes the libraries for Standard Webhooks, and keeps its first header", async () => {
    const { headers, body } = await deliveredOnce();
    const given = headers as Record<string, string>;
    const payloads = JSON.parse(body.toString()) as unknown;
    expect(new StandardWebhook(raw(SECRET)).verify(body.toString(), given)).toEqual(payloads);
    new SvixWebhook(raw(SECRET)).verify(body.toString(), given);
    for (const library of [StandardWebhook, SvixWebhook]) {
      const other = new library(raw("other"));
      expect(() => void other.verify(body.toString(), given)).toThrow("No matching signature");
    }
    expect(headers["x-service-integrity"]).toBe(sign(body, SECRET));
  });

  it("has a signature by both secrets during a rotation", async () => {
    const { headers, body } = await deliveredOnce({ rotated: true });
    const given = headers as Record<string, string>;
    for (const secret of [raw(SECRET), NEXT]) {
      new StandardWebhook(secret).verify(body.toString(), given);
      new SvixWebhook(secret).verify(body.toString(), given);
    }
    expect(headers["x-service-integrity"]).toBe(sign(body, SECRET));
    const receiver = createReceiver({
      secrets: NEXT,
      scheme: "standard",
      on: { security_event() {} },
    });
    const standard = {
      id: headers["webhook-id"],
      timestamp: headers["webhook-timestamp"],
      signature: headers["webhook-signature"],
    };
    expect(await receiver.receive({ body, standard })).toMatchObject({ handled: 1 });
  });

  it("passes a check in Python that uses its standard library only", async () => {
    const request = await deliveredOnce({ rotated: true });
    expect(verifyByPython(request, SECRET)).toBe(0);
    expect(verifyByPython(request, NEXT)).toBe(0);
    expect(verifyByPython(request, "another secret")).toBe(1);
    const later = {
      ...request,
      headers: { ...request.headers, "webhook-timestamp": "1700000000" },
    };
    expect(verifyByPython(later, SECRET)).toBe(1);
  });

  it("keeps its id when it is sent again, with the time of each attempt", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({
      answer: (response, _, index) => response.writeHead(index === 0 ? 503 : 204).end(),
    });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a"]);
    const dispatcher = room.start();
    await expect.poll(() => room.notices.length, POLL).toBe(1);
    room.advance(3_600_000);
    dispatcher.wake();
    await expect.poll(() => receiver.requests.length, POLL).toBe(2);
    const sent = receiver.requests.map(({ headers }) => headers);
    expect(new Set(sent.map((headers) => headers["webhook-id"])).size).toBe(1);
    const [first = 0, second = 0] = sent.map((headers) => Number(headers["webhook-timestamp"]));
    expect(second - first).toBe(3600);
  });
});

describe("an endpoint that answers 410", () => {
  it("is disabled, and its other deliveries are cancelled", async () => {
    const room = await openDispatchRoom();
    const receiver = await startReceiver({ answer: (response) => response.writeHead(410).end() });
    const application = await room.addApplication({ webhookUrl: receiver.url });
    await room.queue(application, ["a"]);
    const dispatcher = room.start();
    await expect.poll(() => room.notices.at(-1), POLL).toMatchObject({ type: "disabled" });
    expect(await room.storage.applications.get(application.id)).toMatchObject({
      disabledReason: "the endpoint answered 410: it wants no more deliveries",
    });
    room.advance(3_600_000);
    dispatcher.wake();
    await expect
      .poll(async () => (await room.storage.deliveries.list()).map(({ state }) => state), POLL)
      .toEqual(["cancelled"]);
    expect(receiver.requests).toHaveLength(1);
  });
});
