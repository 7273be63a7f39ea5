import { MAX_NAME_BYTES, MAX_TAG_BYTES, RawJson } from "@whytrace/contract";
import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import { payloadBytes } from "../payloads/payload-bytes.ts";
import type { Masker } from "./masker.ts";
import { hashError, isPayloadMark, maskReasoning, optionName, payloadMark } from "./structure-only.ts";

const MAX_SESSION_BYTES = 1_024;
const UNNAMED = "[masked]";

/** Masks fields by what they hold, at every level. */
export class MaskedFields {
  readonly #masker: Masker;
  readonly isStructureOnly: boolean;

  constructor(masker: Masker, isStructureOnly: boolean) {
    this.#masker = masker;
    this.isStructureOnly = isStructureOnly;
  }

  /** A name is required, and stays as short as names are. */
  name(name: string): string {
    const masked = this.#masker.text(name, "names");
    if (masked === name) return name;
    return truncated(masked, MAX_NAME_BYTES) || UNNAMED;
  }

  session(sessionId: string | null): string | null {
    return sessionId === null ? null : this.#identifier(sessionId, "session", MAX_SESSION_BYTES);
  }

  tags(tags: readonly string[]): string[] {
    return tags.map((tag) => this.#identifier(tag, "tags", MAX_TAG_BYTES));
  }

  /** Has to stay distinct, also if it has become too long. */
  #identifier(text: string, field: MaskingField, maxBytes: number): string {
    const masked = this.#masker.identifier(text, field);
    if (masked === text || Buffer.byteLength(masked) <= maxBytes) return masked;
    return this.#masker.hash("masked", text);
  }

  error(message: string | null): string | null {
    if (message === null) return null;
    return this.isStructureOnly ? hashError(message, this.#masker) : this.#masker.text(message, "errors");
  }

  reasoning(reasoning: string | null): string | null {
    if (this.isStructureOnly) return maskReasoning(reasoning);
    return reasoning === null ? null : this.#masker.text(reasoning, "reasoning");
  }

  payload(payload: unknown, field: MaskingField): unknown {
    const bytes = payloadBytes(payload);
    if (bytes === null) return payload;
    if (this.isStructureOnly) return isPayloadMark(bytes) ? payload : payloadMark(bytes.length);
    const masked = this.#masker.json(bytes, field);
    return masked === bytes ? payload : new RawJson(masked, 0, masked.length);
  }

  /** The same for the bytes of JSON that is stored; returns the same bytes if nothing changes. */
  storedPayload(bytes: Buffer, field: MaskingField): Uint8Array {
    const json = new RawJson(bytes, 0, bytes.length);
    return bytesOr(bytes, json, this.payload(json, field));
  }

  /** A stored option of a decision, or several of them. */
  storedOption(bytes: Buffer, isList: boolean): Uint8Array {
    const json = new RawJson(bytes, 0, bytes.length);
    return bytesOr(bytes, json, isList ? this.options(json) : this.option(json));
  }

  option(option: unknown): unknown {
    return this.isStructureOnly ? optionName(parsed(option), this.#masker) : this.payload(option, "chosen");
  }

  options(options: unknown): unknown {
    if (!this.isStructureOnly) return this.payload(options, "chosen");
    const list = parsed(options);
    return Array.isArray(list) ? list.map((option) => optionName(option, this.#masker)) : [];
  }
}

/** The bytes of a masked value: the ones before if they are equal. */
function bytesOr(before: Buffer, sent: RawJson, masked: unknown): Uint8Array {
  if (masked === sent) return before;
  const bytes = payloadBytes(masked);
  return bytes === null || before.equals(bytes) ? before : bytes;
}

function parsed(json: unknown): unknown {
  const bytes = payloadBytes(json);
  return bytes === null
    ? null
    : JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
}

/** Ends where a character ends. */
function truncated(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  return Buffer.from(text)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, "");
}
