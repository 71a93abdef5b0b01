import { latencies } from "./figures.mjs";
import { RawConnection } from "./raw-connection.mjs";

process.once("disconnect", () => process.exit(1));
process.on("message", (question) => {
  run(/** @type {any} */ (question)).then(
    (answer) => process.send?.(answer),
    (error) => process.send?.({ error: String(error) }),
  );
});

/**
 * @param {{ port: number, requests: Uint8Array[], connections: number, ms: number, status: number }} plan
 */
async function run({ port, requests, connections, ms, status }) {
  const open = await Promise.all(
    Array.from({ length: connections }, () => RawConnection.open(port)),
  );
  /** @type {number[]} */
  const times = [];
  let next = 0;
  const start = performance.now();
  const end = start + ms;

  /** @param {RawConnection} connection */
  const drive = async (connection) => {
    for (let now = start; now < end;) {
      const request = /** @type {Uint8Array} */ (requests[next++ % requests.length]);
      const answer = await connection.exchange(request);
      if (answer.status !== status) {
        throw new Error(`expected status ${status}, given ${answer.status}: ${answer.body}`);
      }
      const after = performance.now();
      times.push(after - now);
      now = after;
    }
  };
  try {
    await Promise.all(open.map(drive));
  } finally {
    for (const connection of open) connection.close();
  }
  return { requests: times.length, ...latencies(times) };
}
