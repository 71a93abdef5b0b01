import { allocate } from "../base/platform.js";

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  /** Most bytes of one body. */
  readonly maxBytes: number;
  /** Time for the whole body, in milliseconds. */
  readonly timeoutMs: number;
  /** What all bodies that arrive at the same time share. */
  readonly memory: BodyMemory;
}

/** Why a body was not received. */
export type ReadFailure =
  "BODY_TOO_LARGE" | "BODY_TIMEOUT" | "BODY_INCOMPLETE" | "RECEIVER_BUSY" | "RAW_BODY_UNAVAILABLE";

const EMPTY = new Uint8Array(0);

interface Holder {
  /** Releases everything: later bodies need the memory. */
  giveUp(): void;
}

/**
 * Bytes that the bodies of one endpoint may take together while they arrive.
 *
 * If a body does not fit, the body that started first is dropped: a slow sender never keeps out
 * the others.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  /** Bytes of each body that is arriving, in the order in which they began. */
  readonly #held = new Map<Holder, number>();
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes so many bytes more; if the others must keep theirs, takes none and returns false. */
  hold(holder: Holder, bytes: number): boolean {
    while (this.#heldBytes + bytes > this.#maxBytes) {
      const [oldest] = this.#held.keys();
      // A body that is older than all others frees no memory for itself.
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
 * A body that arrives piece by piece.
 *
 * Pieces are copied into one buffer that grows with them: kept as they come, pieces of one byte each
 * would take some hundred times their size.
 */
export class ArrivingBody {
  readonly #memory: BodyMemory;
  readonly #maxBytes: number;
  readonly #expectedBytes: number;
  #bytes: Uint8Array = EMPTY;
  #size = 0;
  readonly #onGivenUp: () => void;

  /**
   * @param onGivenUp Called when what has arrived was given up for others; the body is over then.
   * @param expectedBytes Length that the sender announced. Nothing is allocated on its word alone.
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

  /** Adds a piece, or returns the reason why it does not fit. */
  add(piece: Uint8Array): "BODY_TOO_LARGE" | "RECEIVER_BUSY" | undefined {
    const size = this.#size + piece.length;
    if (size > this.#maxBytes) return "BODY_TOO_LARGE";
    const room = this.#bytes.length;
    if (size > room) {
      const most = size > this.#expectedBytes ? this.#maxBytes : this.#expectedBytes;
      const larger = Math.max(size, Math.min(2 * room, most));
      if (!this.#memory.hold(this, larger - room)) return "RECEIVER_BUSY";
      // A body in one piece is taken at once: a copy would gain nothing.
      const isWhole = room === 0 && piece.length === this.#expectedBytes;
      this.#bytes = isWhole ? piece : this.#copy(larger);
    }
    if (this.#bytes !== piece) this.#bytes.set(piece, this.#size);
    this.#size = size;
    return undefined;
  }

  /** The whole body, or what there is of it; its memory is free for others. */
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
