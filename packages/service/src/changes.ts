/** Notifications that another process changed the database. */
export interface Changes {
  readonly publish: () => void;
  subscribe(listener: () => void): void;
}

/** Creates the notifications without listeners, before the storage, which publishes them. */
export function createChanges(): Changes {
  const listeners: (() => void)[] = [];
  return {
    publish() {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
