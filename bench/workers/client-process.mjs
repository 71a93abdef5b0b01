import { latencies } from "../lib/figures.mjs";
import { CLIENTS } from "./lookup-clients.mjs";

const [, , name = "", origin = ""] = process.argv;

process.once("disconnect", () => process.exit(1));
process.on("message", (question) => {
  run(/** @type {any} */ (question)).then(
    (answer) => process.send?.(answer),
    (error) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  );
});

const lookup = await CLIENTS[/** @type {keyof typeof CLIENTS} */ (name)](origin);
process.send?.({ first: await lookup("81.0.0.1") });

let asked = 0;

/** @param {{ concurrency: number, ms: number }} plan */
async function run({ concurrency, ms }) {
  /** @type {number[]} */
  const times = [];
  const before = process.cpuUsage();
  const start = performance.now();
  const end = start + ms;
  const drive = async () => {
    for (let now = start; now < end;) {
      const number = asked++;
      const ip = `81.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
      const answer = await lookup(ip);
      if (answer.ip !== ip) throw new Error(`asked about ${ip}, given ${answer.ip}`);
      const after = performance.now();
      times.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, drive));
  const seconds = (performance.now() - start) / 1e3;
  const { user, system } = process.cpuUsage(before);
  return {
    rps: times.length / seconds,
    cpuUs: (user + system) / times.length,
    ...latencies(times),
  };
}
