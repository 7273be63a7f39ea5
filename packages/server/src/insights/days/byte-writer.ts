const INITIAL_BYTES = 4_096;
const MAX_VARINT_BYTES = 8;

/** Writes numbers and texts one after another, for `ByteReader`. Most counts are small, so integers have variable length. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  #length = 0;

  byte(value: number) {
    this.#reserve(1);
    this.#length = this.#bytes.writeUInt8(value, this.#length);
  }

  /** An integer from 0 to 2^53 - 1, which also stands for larger ones: seven bits a byte, the lowest first. */
  varint(value: number) {
    this.#reserve(MAX_VARINT_BYTES);
    let rest = Math.min(value, Number.MAX_SAFE_INTEGER);
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
      this.#bytes[this.#length] = (rest % 0x80) | 0x80;
      this.#length += 1;
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  uint32(value: number) {
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  double(value: number) {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  text(value: string) {
    const byteCount = Buffer.byteLength(value);
    this.varint(byteCount);
    this.#reserve(byteCount);
    this.#length += this.#bytes.write(value, this.#length);
  }

  end(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(byteCount: number) {
    const needed = this.#length + byteCount;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
