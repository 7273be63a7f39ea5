const BLOCK_BYTES = 64 * 1024;
/** Larger pieces are not copied. */
const MAX_COPIED_BYTES = 4 * 1024;

/** Collects pieces of a response. Small ones are copied together, because each piece costs a write to the socket. */
export class ChunkWriter {
  #pieces: Buffer[] = [];
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  /** The part of the block that is not yet among the pieces. */
  #start = 0;
  #end = 0;
  length = 0;

  write(bytes: Buffer) {
    this.length += bytes.length;
    if (bytes.length > MAX_COPIED_BYTES) {
      this.#flush();
      this.#pieces.push(bytes);
      return;
    }
    if (this.#end + bytes.length > BLOCK_BYTES) {
      this.#flush();
      this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
      this.#start = 0;
      this.#end = 0;
    }
    this.#end += bytes.copy(this.#block, this.#end);
  }

  /** Returns what was written since the last call. */
  take(): Buffer[] {
    this.#flush();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.length = 0;
    return pieces;
  }

  #flush() {
    if (this.#end > this.#start) this.#pieces.push(this.#block.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}
