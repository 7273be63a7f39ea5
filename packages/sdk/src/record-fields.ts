import { MAX_ID_BYTES, MAX_NAME_BYTES } from "@whytrace/contract";
import { type Redact, RedactError, toJson } from "./send/to-json.ts";
import { truncateUtf8 } from "./send/utf8.ts";

/** Converts values for the fields of one trace: redacted, as JSON, and so that the server accepts them. */
export class RecordFields {
  /** Of all values converted so far. */
  weight: number;
  readonly #redact: Redact | undefined;
  readonly #onRedactError: (error: RedactError) => void;

  constructor(redact: Redact | undefined, onRedactError: (error: RedactError) => void, weight: number) {
    this.#redact = redact;
    this.#onRedactError = onRedactError;
    this.weight = weight;
  }

  name(given: unknown, path: string): string {
    return truncateUtf8(this.text(given, path) || "unnamed", MAX_NAME_BYTES);
  }

  message(span: { statusMessage?: string }, message: string): void {
    const text = this.text(message, "span.statusMessage");
    if (text !== undefined) span.statusMessage = truncateUtf8(text, MAX_NAME_BYTES);
  }

  text(given: unknown, path: string): string | undefined {
    const value = this.#toJson(given, path);
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  }

  /** Sets those of the fields that are given. `label` is the beginning of their paths. */
  setJson<Field extends string>(
    holder: { [Name in Field]?: unknown },
    given: { readonly [Name in Field]?: unknown },
    label: string,
    ...fields: Field[]
  ): void {
    for (const field of fields) {
      if (given[field] === undefined) continue;
      const value = this.#toJson(given[field], `${label}.${field}`);
      if (value !== undefined) Reflect.set(holder, field, value);
    }
  }

  mergeMetadata(holder: { metadata?: unknown }, given: { readonly metadata?: unknown }, label: string): void {
    const { metadata: before } = holder;
    this.setJson(holder, given, label, "metadata");
    const { metadata } = holder;
    if (isObject(before) && isObject(metadata)) holder.metadata = { ...before, ...metadata };
  }

  #toJson(given: unknown, path: string): unknown {
    try {
      const { value, weight } = toJson(given, path, this.#redact);
      this.weight += weight;
      return value;
    } catch (error) {
      if (!(error instanceof RedactError)) throw error;
      this.#onRedactError(error);
      return undefined;
    }
  }
}

/** Replaces or truncates what the server would refuse in an id. */
export const sanitizeId = (id: string): string =>
  truncateUtf8(id.toWellFormed().replaceAll("\0", "\uFFFD"), MAX_ID_BYTES);

/** Sets those of the fields that are given and finite. */
export function setNumbers<Field extends string>(
  holder: { [Name in Field]?: number },
  given: { readonly [Name in Field]?: number | undefined },
  ...fields: Field[]
): void {
  for (const field of fields) if (Number.isFinite(given[field])) Reflect.set(holder, field, given[field]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
