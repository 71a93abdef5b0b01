import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWebhookEndpoint } from "../../../src/webhook/node-endpoint.js";

const MIB = 1_048_576;
const PROCESS = fileURLToPath(new URL("../../support/webhook-process.mjs", import.meta.url));
const HEAD =
  "POST /hook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
  `X-Service-Integrity: ${"0".repeat(64)}\r\n`;

/** A webhook in a process of its own, with what its memory has grown by at most since it was warm. */
async function served(options: object) {
  const child = fork(PROCESS, [JSON.stringify(options)], { execArgv: ["--expose-gc"] });
  onTestFinished(() => void child.kill());
  const tell = async (): Promise<number> => {
    child.send("peak");
    const [{ peak }] = (await once(child, "message")) as [{ peak: number }];
    return peak;
  };
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  for (let n = 0; n < 50; n++) {
    const socket = await open(port);
    socket.write(`${HEAD}Content-Length: 2\r\n\r\n[]`);
    await once(socket, "data");
    socket.destroy();
  }
  await tell();
  await pause(100);
  const baseline = await tell();
  return { port, growthMiB: async () => ((await tell()) - baseline) / MIB };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** So many chunks of one byte each. */
const drops = (count: number): Buffer => Buffer.from("1\r\nx\r\n".repeat(count));

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed) return;
  if (!socket.write(bytes)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
}

describe("memory before the verdict", () => {
  it.each([
    ["drip single bytes for 20 seconds", drops(1), 1_500, 10, 64],
    ["send 32 KiB in single bytes each", drops(4096), 8, 0, 64],
    // Without the bound 800 MiB. Buffers that were outgrown are not collected at once.
    ["send 4 MiB each", Buffer.from(`10000\r\n${"x".repeat(65_536)}\r\n`), 64, 0, 192],
  ])(
    "R22 is bounded while 200 connections %s",
    async (title, piece, times, waitMs, limitMiB) => {
      const { port, growthMiB } = await served({ bodyTimeoutMs: 120_000 });
      let sent = 0;
      const send = async (): Promise<void> => {
        const socket = await open(port);
        socket.resume();
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
        for (let n = 0; n < times && !socket.destroyed; n++) {
          await write(socket, piece);
          sent += piece.length;
          await pause(waitMs);
        }
      };
      await Promise.all(Array.from({ length: 200 }, send));
      const growth = await growthMiB();
      process.stdout.write(`200 connections ${title}, ${sent} bytes: ${growth.toFixed(1)} MiB\n`);
      expect(growth).toBeLessThan(limitMiB);
    },
    300_000,
  );

  it("R22 follows the bytes of one body in chunks of one byte each", async () => {
    const { port, growthMiB } = await served({ bodyTimeoutMs: 120_000 });
    const socket = await open(port);
    const answer = once(socket, "data");
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    for (let sent = 0; sent < 2 * MIB; sent += 4096) await write(socket, drops(4096));
    socket.write("0\r\n\r\n");
    expect(String(await answer)).toContain(" 401 ");
    const growth = await growthMiB();
    process.stdout.write(`2 MiB in single bytes: ${growth.toFixed(1)} MiB\n`);
    expect(growth).toBeLessThan(64);
  });

  it("R22 is next to nothing for a route that has received nothing", () => {
    const { gc } = globalThis;
    const endpoints: unknown[] = [];
    const make = (count: number): void => {
      for (let n = 0; n < count; n++) {
        endpoints.push(createWebhookEndpoint({ secrets: "s", on: { test() {} } }));
      }
    };
    const used = (): number => {
      gc!();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    make(10);
    used();
    const before = used();
    make(1000);
    const each = (used() - before) / 1000;
    process.stdout.write(`a fresh route: ${(each / 1024).toFixed(1)} KiB\n`);
    expect(each).toBeLessThan(64 * 1024);
    expect(endpoints).toHaveLength(1010);
  });
});
