import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** The first byte of a sealed secret. */
const PLAIN = 0;
const ENCRYPTED = 1;
const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the secrets of channels with the operator's key, if there is one, so that a copy of the database does not contain them. A
 * secret is bound to its workspace: a row that is copied to another one cannot be opened.
 */
export class SecretBox {
  readonly #key: Buffer | undefined;

  constructor(key: Buffer | undefined) {
    this.#key = key;
  }

  seal(workspaceId: WorkspaceId, secret: string): Buffer {
    if (!this.#key) return Buffer.concat([Buffer.of(PLAIN), Buffer.from(secret)]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(workspaceId));
    const encrypted = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([Buffer.of(ENCRYPTED), nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Undefined if the secret was encrypted with another key. */
  open(workspaceId: WorkspaceId, sealed: Buffer): string | undefined {
    if (sealed[0] === PLAIN) return sealed.subarray(1).toString();
    if (sealed[0] !== ENCRYPTED || !this.#key) return undefined;
    const tagAt = 1 + NONCE_BYTES;
    try {
      const cipher = createDecipheriv(ALGORITHM, this.#key, sealed.subarray(1, tagAt))
        .setAAD(Buffer.from(workspaceId))
        .setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
      return Buffer.concat([cipher.update(sealed.subarray(tagAt + TAG_BYTES)), cipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}
