import { counted } from "../terminal/counted.js";

const PAUSE_MS = 60_000;

/** Maximum number of stored messages. */
const MAX_MESSAGES = 100;

/**
 * Writes a message at most once a minute: a full disk fails every second, and its log must not fill
 * another one. The next line reports how often the message was omitted.
 *
 * @param nowMs Milliseconds on a monotonic clock.
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
    // Moves it to the end of the map, whose first entry is deleted.
    written.delete(message);
    written.set(message, { atMs: nowMs(), omitted: 0 });
    if (written.size > MAX_MESSAGES) written.delete(written.keys().next().value!);
    write(last?.omitted ? `${message} (and ${counted(last.omitted, "time")} since)` : message);
  };
}
