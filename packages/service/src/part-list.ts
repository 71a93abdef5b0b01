/** A component of a service that runs until it is closed. */
export interface Part {
  readonly start?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The parts of a service, in opening order. */
export interface PartList {
  add<T extends Part>(part: T): T;
  start(): Promise<void>;
  /** Closes the parts in reverse order, each one once. */
  close(): Promise<void>;
}

export function createPartList(): PartList {
  const parts: Part[] = [];
  return {
    add(part) {
      parts.push(part);
      return part;
    },
    async start() {
      for (const part of parts) await part.start?.();
    },
    async close() {
      for (let part = parts.pop(); part; part = parts.pop()) await part.close();
    },
  };
}
