import { allocate } from "../base/platform.js";

export interface BodyLimits {
  /** Maximum size of one body, in bytes. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Shared by all bodies that arrive at the same time. */
  readonly memory: BodyMemory;
}

export type ReadFailure =
  "BODY_TOO_LARGE" | "BODY_TIMEOUT" | "BODY_INCOMPLETE" | "RECEIVER_BUSY" | "RAW_BODY_UNAVAILABLE";

const EMPTY = new Uint8Array(0);

interface Holder {
  /** Releases everything: later bodies need the memory. */
  giveUp(): void;
}

/**
 * Memory that the arriving bodies of one endpoint may use together.
 *
 * If a body does not fit, the body that started first is dropped: a slow sender never blocks
 * others.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  /** Bytes of each arriving body, in starting order. */
  readonly #held = new Map<Holder, number>();
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reserves more bytes; returns false and reserves none if they do not fit. */
  hold(holder: Holder, bytes: number): boolean {
    while (this.#heldBytes + bytes > this.#maxBytes) {
      const [oldest] = this.#held.keys();
      // Dropping the oldest body cannot free memory for itself.
      if (oldest === undefined || oldest === holder) return false;
      oldest.giveUp();
    }
    this.#heldBytes += bytes;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + bytes);
    return true;
  }

  free(holder: Holder): void {
    this.#heldBytes -= this.#held.get(holder) ?? 0;
    this.#held.delete(holder);
  }
}

/**
 * A body that arrives in pieces.
 *
 * Pieces are copied into one growing buffer: stored separately, pieces of one byte would take about
 * a hundred times their size.
 */
export class ArrivingBody {
  readonly #memory: BodyMemory;
  readonly #maxBytes: number;
  readonly #expectedBytes: number;
  #bytes: Uint8Array = EMPTY;
  #size = 0;
  readonly #onGivenUp: () => void;

  /**
   * @param onGivenUp Called when this body was dropped in favour of others.
   * @param expectedBytes Length that the sender announced. Nothing is allocated because of it
   * alone.
   */
  constructor(
    memory: BodyMemory,
    maxBytes: number,
    onGivenUp: () => void,
    expectedBytes: number = maxBytes,
  ) {
    this.#memory = memory;
    this.#maxBytes = maxBytes;
    this.#onGivenUp = onGivenUp;
    this.#expectedBytes = expectedBytes;
  }

  giveUp(): void {
    this.take();
    this.#onGivenUp();
  }

  /** Returns the reason if the piece does not fit. */
  add(piece: Uint8Array): "BODY_TOO_LARGE" | "RECEIVER_BUSY" | undefined {
    const size = this.#size + piece.length;
    if (size > this.#maxBytes) return "BODY_TOO_LARGE";
    const room = this.#bytes.length;
    if (size > room) {
      const most = size > this.#expectedBytes ? this.#maxBytes : this.#expectedBytes;
      const larger = Math.max(size, Math.min(2 * room, most));
      if (!this.#memory.hold(this, larger - room)) return "RECEIVER_BUSY";
      // A body in one piece is used without a copy.
      const isWhole = room === 0 && piece.length === this.#expectedBytes;
      this.#bytes = isWhole ? piece : this.#copy(larger);
    }
    if (this.#bytes !== piece) this.#bytes.set(piece, this.#size);
    this.#size = size;
    return undefined;
  }

  take(): Uint8Array {
    const whole = this.#bytes.subarray(0, this.#size);
    this.#memory.free(this);
    this.#bytes = EMPTY;
    this.#size = 0;
    return whole;
  }

  #copy(length: number): Uint8Array {
    const copy = allocate(length);
    copy.set(this.#bytes.subarray(0, this.#size));
    return copy;
  }
}
