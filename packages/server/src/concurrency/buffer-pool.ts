/*
 * Reuses large buffers. A new buffer costs one page fault per 4 KiB, and the garbage collector frees it late: together
 * a tenth of the cost of ingest.
 *
 * The caller must hold no view of a buffer that it releases. If that is not certain, the caller does not release the
 * buffer, and the garbage collector frees it.
 */
const MIN_POOLED_BYTES = 64 * 1024;

export class BufferPool {
  readonly #freeBySize = new Map<number, NonSharedBuffer[]>();
  readonly #maxFreeBytes: number;
  #freeBytes = 0;

  constructor(maxFreeBytes: number) {
    this.#maxFreeBytes = maxFreeBytes;
  }

  /** Returns a buffer of at least this size. Its content is undefined. */
  acquire(minBytes: number): NonSharedBuffer {
    if (minBytes < MIN_POOLED_BYTES) return Buffer.allocUnsafe(minBytes);
    const size = sizeClass(minBytes);
    const buffer = this.#freeBySize.get(size)?.pop();
    if (!buffer) return Buffer.allocUnsafeSlow(size);
    this.#freeBytes -= size;
    return buffer;
  }

  release(buffer: Buffer) {
    const size = buffer.length;
    if (size < MIN_POOLED_BYTES || size !== sizeClass(size) || !isNonShared(buffer)) return;
    this.#evictOtherSizes(size);
    if (this.#freeBytes + size > this.#maxFreeBytes) return;
    this.#freeBytes += size;
    const free = this.#freeBySize.get(size);
    if (free) free.push(buffer);
    else this.#freeBySize.set(size, [buffer]);
  }

  /** Drops buffers of other sizes until one of this size fits. */
  #evictOtherSizes(size: number) {
    for (const [other, free] of this.#freeBySize)
      while (other !== size && free.length > 0 && this.#freeBytes + size > this.#maxFreeBytes) {
        free.pop();
        this.#freeBytes -= other;
      }
  }
}

const isNonShared = (buffer: Buffer): buffer is NonSharedBuffer => buffer.buffer instanceof ArrayBuffer;

/** Rounds up to one of four sizes per power of two, so that at most a fifth of a buffer is unused. */
function sizeClass(bytes: number): number {
  const step = 2 ** Math.max(14, Math.floor(Math.log2(bytes - 1)) - 2);
  return Math.ceil(bytes / step) * step;
}
