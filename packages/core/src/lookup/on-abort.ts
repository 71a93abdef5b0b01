const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` when the signal fires.
 *
 * Adds one listener to a signal, whatever the number of callbacks: Node warns of a leak at eleven, and
 * a signal that lives as long as the application may belong to thousands of lookups.
 *
 * @returns Removes the callback; the listener is removed with the last one.
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
