import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what must be read again, with the first of the operator's keys. All keys decrypt, so that a new key can be put
 * before the old one. The first byte of a value names its key. `context` says whose value it is: it cannot be decrypted
 * for somebody else.
 */
export class Encryption {
  readonly #keys: { id: number; key: Buffer }[];

  constructor(keys: readonly Buffer[]) {
    this.#keys = keys.map((key) => ({ id: idOf(key), key }));
  }

  get isAvailable(): boolean {
    return this.#keys.length > 0;
  }

  encrypt(plain: Buffer, context: string): Buffer {
    const [first] = this.#keys;
    if (!first) throw new Error("There is no key to encrypt with");
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, first.key, nonce).setAAD(Buffer.from(context));
    const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.of(first.id), nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Undefined if none of the keys fits. */
  decrypt(value: Buffer, context: string): Buffer | undefined {
    const tagAt = 1 + NONCE_BYTES;
    // Two keys can have the same id.
    for (const { key } of this.#keys.filter(({ id }) => id === value[0]))
      try {
        const cipher = createDecipheriv(ALGORITHM, key, value.subarray(1, tagAt))
          .setAAD(Buffer.from(context))
          .setAuthTag(value.subarray(tagAt, tagAt + TAG_BYTES));
        return Buffer.concat([cipher.update(value.subarray(tagAt + TAG_BYTES)), cipher.final()]);
      } catch {
        // The next key may fit.
      }
    return undefined;
  }
}

const idOf = (key: Buffer) => createHash("sha256").update(key).digest().readUInt8();
