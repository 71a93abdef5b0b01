import { once } from "node:events";
import { connect } from "node:net";
import type { RawAnswer } from "@riskgate/testing";

/** Writes bytes to a new connection; returns the answer, and how the connection ended. */
export async function sendBytes(
  port: number,
  bytes: Uint8Array,
): Promise<RawAnswer & { readonly isClosed: boolean }> {
  const socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  let text = "";
  let end: () => void = () => {};
  const ended = new Promise<boolean>((resolve) => {
    socket.once("end", () => resolve(true));
    end = () => resolve(false);
  });
  socket.on("data", (chunk) => {
    text += chunk.toString("utf8");
    // A server that means to close does so by itself.
    if (/\r\n\r\n\{.*\}$/s.test(text) && !/^connection: close\r$/im.test(text)) end();
  });
  socket.write(bytes);
  const isClosed = await ended;
  socket.destroy();

  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [statusLine = "", ...rows] = head.split("\r\n");
  const lines = rows.map((row): readonly [string, string] => {
    const colon = row.indexOf(":");
    return [row.slice(0, colon).toLowerCase(), row.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(" ")[1]),
    lines,
    header: (name) => lines.find(([key]) => key === name)?.[1],
    body,
    isClosed,
  };
}
