/** Where a record that was read from JSON keeps the bytes it was read from. */
export const SOURCE = Symbol("source");

/** A JSON value as the bytes it was sent in: it is stored and given back without being read. */
export class RawJson {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isArray(): boolean {
    return this.bytes[0] === 0x5b;
  }

  get isNull(): boolean {
    return this.bytes[0] === 0x6e;
  }
}
