/** Notices that another process changed the database. */
export interface Changes {
  readonly publish: () => void;
  subscribe(listener: () => void): void;
}

/** Creates the notices without listeners. The storage publishes, so they exist before it. */
export function createChanges(): Changes {
  const listeners: (() => void)[] = [];
  return {
    publish() {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
