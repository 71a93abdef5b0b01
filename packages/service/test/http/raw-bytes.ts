import { once } from "node:events";
import { connect } from "node:net";
import type { RawAnswer } from "@riskgate/testing";

/** Write bytes to a connection of their own, and give the answer with how the connection ended. */
export async function sendBytes(
  port: number,
  bytes: Uint8Array,
): Promise<RawAnswer & { readonly isClosed: boolean }> {
  const socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  let text = "";
  let isClosed = false;
  socket.on("data", (chunk) => (text += chunk.toString("utf8")));
  socket.on("end", () => (isClosed = true));
  socket.write(bytes);
  while (!/\r\n\r\n\{.*\}$/s.test(text) && !isClosed) {
    await Promise.race([once(socket, "data"), once(socket, "end")]);
  }
  if (/^connection: close\r$/im.test(text) && !isClosed) await once(socket, "end");
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
