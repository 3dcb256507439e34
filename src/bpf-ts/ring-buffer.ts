import { calling, native, type NativeObject, type NativeRing } from './native.js';

/**
 * Records of a ring buffer, one after another in the order of the ring. Each is
 * a u32 length (little endian), a u32 zero, and the payload, padded to 8 bytes:
 * so payloads lie at multiples of 8. See {@link forEachRecord}.
 *
 * Valid only during the callback: the memory is used again for the next batch.
 * Copy what must stay.
 */
export interface RingBatch {
  readonly bytes: Buffer;
  /** Of the same bytes. */
  readonly view: DataView;
  /** How many records. */
  readonly count: number;
}

export interface RingOptions {
  /**
   * How long records may wait for others, so that they come in one batch: after
   * a batch the ring is looked at this much later. 10 by default; 0 for at once.
   */
  readonly coalesceMs?: number;
  /** A batch ends at the record that reaches this size. 1 MiB by default. */
  readonly batchBytes?: number;
}

const recordHead = 8;

/** Visits the payloads of a batch: where each begins in it, and its length in bytes. */
export function forEachRecord(
  batch: RingBatch,
  visit: (offset: number, length: number) => void,
): void {
  for (let at = 0; at < batch.bytes.length;) {
    const length = batch.view.getUint32(at, true);
    visit(at + recordHead, length);
    at += recordHead + ((length + 7) & ~7);
  }
}

/**
 * Reads a ring buffer map in Node's event loop, without a thread. What the
 * callback throws becomes an uncaught exception, as from any other callback.
 *
 * An open ring keeps the process alive, unless it is paused or unref'ed.
 */
export class RingBuffer {
  readonly map: string;
  readonly #ring: NativeRing;
  readonly #onClose: () => void;

  /** @internal Use BpfObject.ringBuffer. */
  constructor(
    object: NativeObject,
    index: number,
    map: string,
    onBatch: (batch: RingBatch) => void,
    options: RingOptions,
    onClose: (ring: RingBuffer) => void,
  ) {
    const { coalesceMs = 10, batchBytes = 1 << 20 } = options;
    requireRange('coalesceMs', coalesceMs, 0, 60_000);
    requireRange('batchBytes', batchBytes, 1, 1 << 30);
    this.map = map;
    this.#onClose = () => {
      onClose(this);
    };
    this.#ring = calling(
      `Could not read the ring buffer ${map}`,
      () =>
        new (native().NativeRing)(
          object,
          index,
          (buffer, length, count) => {
            onBatch({
              bytes: Buffer.from(buffer, 0, length),
              view: new DataView(buffer, 0, length),
              count,
            });
          },
          coalesceMs,
          batchBytes,
        ),
    );
  }

  /** Consumes nothing until resume: the kernel's ring fills up meanwhile. */
  pause(): void {
    this.#do(() => {
      this.#ring.pause();
    });
  }

  /** Goes on, in a later turn of the event loop. */
  resume(): void {
    this.#do(() => {
      this.#ring.resume();
    });
  }

  /**
   * Consumes what is there now, a ring's worth at most, and calls back before
   * it returns; also while paused. Not within the callback.
   */
  flush(): void {
    this.#do(() => {
      this.#ring.flush();
    });
  }

  /** Stops for good, at once, also within the callback. Closing twice is fine. */
  close(): void {
    this.#ring.close();
    this.#onClose();
  }

  ref(): this {
    this.#do(() => {
      this.#ring.ref();
    });
    return this;
  }

  unref(): this {
    this.#do(() => {
      this.#ring.unref();
    });
    return this;
  }

  #do(action: () => void): void {
    calling(`The ring buffer ${this.map}`, action);
  }
}

function requireRange(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(
      `${name} must be an integer from ${String(least)} to ${String(most)}, not ${String(value)}`,
    );
}
