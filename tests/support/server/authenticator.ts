import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId: string;
}

/** What an attack changes. */
interface Changes {
  origin?: string;
  rpId?: string;
  isUserVerified?: boolean;
  userHandle?: string;
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

/** A passkey in software, with one credential: ES256, no attestation. It answers as `credential.toJSON()` does. */
export class Authenticator {
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #coseKey: Buffer;
  readonly #id = randomBytes(32);
  #userHandle: string | undefined;

  constructor(origin: string) {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#origin = origin;
    this.#privateKey = privateKey;
    // A CBOR map of five entries: key type 2, algorithm -7, curve 1, x and y of 32 bytes.
    this.#coseKey = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y, "base64url"),
    ]);
  }

  /** Answers `navigator.credentials.create()`. */
  create({ challenge, rp, user }: CreationOptions, changes: Changes = {}) {
    this.#userHandle = user.id;
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.#id.length]),
      this.#id,
      this.#coseKey,
    ]);
    const data = this.#authenticatorData(rp.id, changes, credential);
    // A CBOR map: fmt "none", attStmt {}, authData of one length byte.
    const attestation = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
      Buffer.from([data.length]),
      data,
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData("webauthn.create", challenge, changes).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Answers `navigator.credentials.get()`. */
  get({ challenge, rpId }: RequestOptions, changes: Changes = {}) {
    const clientData = this.#clientData("webauthn.get", challenge, changes);
    const data = this.#authenticatorData(rpId, changes);
    const signature = createSign("SHA256")
      .update(Buffer.concat([data, sha256(clientData)]))
      .sign(this.#privateKey);
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: changes.userHandle ?? this.#userHandle,
    });
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Changes): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, changes: Changes, credential?: Buffer): Buffer {
    const { isUserVerified = true } = changes;
    const flags = USER_PRESENT + (isUserVerified ? USER_VERIFIED : 0) + (credential ? HAS_CREDENTIAL : 0);
    const counter = Buffer.alloc(4);
    return Buffer.concat([
      sha256(changes.rpId ?? rpId),
      Buffer.from([flags]),
      counter,
      credential ?? Buffer.alloc(0),
    ]);
  }

  #answer(response: object) {
    const id = this.#id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }
}
