import type { TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { makeCertificate } from "../../../../tools/test/certificate.js";
import { openDispatchRoom } from "../support/dispatch-room.js";
import { startReceiver } from "../support/receiver.js";

it("each connection checks the certificate: no TLS session is resumed", async () => {
  const DAY_MS = 86_400_000;
  const certificate = makeCertificate(
    "127.0.0.1",
    new Date(Date.now() - DAY_MS),
    new Date(Date.now() + DAY_MS),
  );
  const resumed: boolean[] = [];
  const receiver = await startReceiver({
    tls: certificate,
    answer(response) {
      resumed.push((response.req.socket as TLSSocket).isSessionReused());
      response.setHeader("connection", "close");
      response.end();
    },
  });
  const room = await openDispatchRoom();
  const application = await room.addApplication({ webhookUrl: receiver.url });
  const dispatcher = room.start({ ca: certificate.cert });
  for (const [index, id] of ["a", "b", "c"].entries()) {
    await room.queue(application, [id]);
    dispatcher.wake();
    await expect.poll(() => room.notices.length, { timeout: 60_000, interval: 5 }).toBe(index + 1);
  }
  expect(receiver.connections()).toBe(3);
  expect(resumed).toEqual([false, false, false]);
});
