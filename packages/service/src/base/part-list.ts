export interface Part {
  readonly start?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface PartList {
  add<T extends Part>(part: T): T;
  start(): Promise<void>;
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
