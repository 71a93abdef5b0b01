import { counted } from "../terminal/counted.js";

/** Shortest time between two lines that say the same. */
const PAUSE_MS = 60_000;

/** Number of messages that are remembered. */
const MAX_MESSAGES = 100;

/**
 * Writes a message at most once a minute: a full disk fails every second, and its log must not fill
 * another one. The next line says how often the message was left out.
 *
 * @param nowMs Milliseconds on a clock that never jumps.
 */
export function withoutRepeats(
  write: (message: string) => void,
  nowMs: () => number = () => performance.now(),
): (message: string) => void {
  const written = new Map<string, { readonly atMs: number; omitted: number }>();
  return (message) => {
    const last = written.get(message);
    if (last && nowMs() - last.atMs < PAUSE_MS) {
      last.omitted++;
      return;
    }
    // Last in the order of the map, of which the first is forgotten.
    written.delete(message);
    written.set(message, { atMs: nowMs(), omitted: 0 });
    if (written.size > MAX_MESSAGES) written.delete(written.keys().next().value!);
    write(last?.omitted ? `${message} (and ${counted(last.omitted, "time")} since)` : message);
  };
}
