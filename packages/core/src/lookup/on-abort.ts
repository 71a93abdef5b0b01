const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` when the signal fires. Adds only one listener per signal, regardless of the
 * number of callbacks: Node warns of a leak at eleven, and thousands of lookups may share a
 * long-lived signal.
 *
 * @returns A function that removes the callback, and with the last one the listener.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = listeners.get(signal);
  if (!callbacks) {
    callbacks = new Set();
    listeners.set(signal, callbacks);
  }
  if (callbacks.size === 0) signal.addEventListener("abort", fire, { once: true });
  callbacks.add(callback);

  const waiting = callbacks;
  return () => {
    waiting.delete(callback);
    if (waiting.size === 0) signal.removeEventListener("abort", fire);
  };
}

function fire(this: AbortSignal): void {
  const callbacks = listeners.get(this);
  listeners.delete(this);
  for (const callback of callbacks ?? []) callback();
}
