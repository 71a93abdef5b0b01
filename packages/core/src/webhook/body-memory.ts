const EMPTY: Buffer = Buffer.alloc(0);

/** Bytes that the bodies of one endpoint may take together while they arrive. */
export class BodyMemory {
  readonly #maxBytes: number;
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Take so many bytes more; where they are not free, take none and return false. */
  hold(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.#maxBytes) return false;
    this.#heldBytes += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#heldBytes -= bytes;
  }
}

/**
 * A body that arrives piece by piece.
 *
 * Pieces are copied into one buffer that grows with them: kept as they come, pieces of one byte each
 * would take some hundred times their size.
 */
export class ArrivingBody {
  readonly #memory: BodyMemory;
  readonly #maxBytes: number;
  readonly #expectedBytes: number;
  #bytes = EMPTY;
  #size = 0;

  /** @param expectedBytes Length that the sender announced. Nothing is allocated on its word alone. */
  constructor(memory: BodyMemory, maxBytes: number, expectedBytes: number = maxBytes) {
    this.#memory = memory;
    this.#maxBytes = maxBytes;
    this.#expectedBytes = expectedBytes;
  }

  /** Add a piece, or return why there is no room for it. */
  add(piece: Buffer): "BODY_TOO_LARGE" | "RECEIVER_BUSY" | undefined {
    const size = this.#size + piece.length;
    if (size > this.#maxBytes) return "BODY_TOO_LARGE";
    const room = this.#bytes.length;
    if (size > room) {
      const most = size > this.#expectedBytes ? this.#maxBytes : this.#expectedBytes;
      const larger = Math.max(size, Math.min(2 * room, most));
      if (!this.#memory.hold(larger - room)) return "RECEIVER_BUSY";
      // A body in one piece is taken at once: a copy would gain nothing.
      const isWhole = room === 0 && piece.length === this.#expectedBytes;
      this.#bytes = isWhole ? piece : this.#copy(larger);
    }
    if (this.#bytes !== piece) this.#bytes.set(piece, this.#size);
    this.#size = size;
    return undefined;
  }

  /** The whole body, or what there is of it; its memory is free for others. */
  take(): Buffer {
    const whole = this.#bytes.subarray(0, this.#size);
    this.#memory.free(this.#bytes.length);
    this.#bytes = EMPTY;
    this.#size = 0;
    return whole;
  }

  #copy(length: number): Buffer {
    // Not from the pool, of which a few bytes would keep 8 KiB.
    const copy = Buffer.allocUnsafeSlow(length);
    copy.set(this.#bytes.subarray(0, this.#size));
    return copy;
  }
}
