/*
 * Buffers of megabytes that are used again. A fresh one costs a page fault for each of its 4 KiB, and the collector
 * learns late that it may go: together a tenth of what ingest costs.
 *
 * Whoever gives a buffer back must hold no view of it any more. Where that is not certain it is not given back, and
 * the collector has it.
 */
const LEAST_BYTES = 64 * 1024;

export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();
  readonly #keptMost: number;
  #kept = 0;

  /** Keeps so many bytes at the most. */
  constructor(keptMostBytes: number) {
    this.#keptMost = keptMostBytes;
  }

  /** At least so long; what is in it is anybody's. */
  acquire(bytes: number): Buffer {
    if (bytes < LEAST_BYTES) return Buffer.allocUnsafe(bytes);
    const size = sizeFor(bytes);
    const buffer = this.#free.get(size)?.pop();
    if (!buffer) return Buffer.allocUnsafeSlow(size);
    this.#kept -= size;
    return buffer;
  }

  release(buffer: Buffer) {
    const size = buffer.length;
    if (size < LEAST_BYTES || size !== sizeFor(size)) return;
    this.#forgetOthers(size);
    if (this.#kept + size > this.#keptMost) return;
    this.#kept += size;
    const free = this.#free.get(size);
    if (free) free.push(buffer);
    else this.#free.set(size, [buffer]);
  }

  /** Where there is no room for a size that is used now, others go. */
  #forgetOthers(size: number) {
    for (const [other, free] of this.#free)
      while (other !== size && free.length > 0 && this.#kept + size > this.#keptMost) {
        free.pop();
        this.#kept -= other;
      }
  }
}

/** Four sizes from one power of two to the next, so that a fifth at the most is wasted. */
function sizeFor(bytes: number): number {
  const step = 2 ** Math.max(14, Math.floor(Math.log2(bytes - 1)) - 2);
  return Math.ceil(bytes / step) * step;
}
