import { byteLength, truncateUtf8 } from "./utf8.ts";

/*
 * Copies any value into JSON when it is recorded: later changes by the caller do not change the record, and no recorded
 * value can make a request fail. The server limits a body to 10 MiB and to 1,000,000 values. A value's weight accounts
 * for both: its bytes, plus VALUE_WEIGHT for each value.
 */

export const VALUE_WEIGHT = 11;
/** A larger field would leave no room in a body for anything else. */
const MAX_FIELD_WEIGHT = 8 * 1_024 * 1_024;
/** The server accepts 256 levels, of which the trace around a field uses a few. */
const MAX_DEPTH = 200;

export type Redact = (value: unknown, path: string) => unknown;

/** The user's `redact` threw, so that nothing of the field may be sent. */
export class RedactError extends Error {}

interface JsonCopy {
  /** Undefined if there is nothing to record. */
  value: unknown;
  weight: number;
}

export function toJson(
  value: unknown,
  path: string,
  redact?: Redact,
  maxWeight = MAX_FIELD_WEIGHT,
): JsonCopy {
  const copier = new Copier(redact, maxWeight);
  const copy = copier.copy(value, path, 0);
  return { value: copy, weight: copier.weight };
}

export const truncationMark = (details: string) => `… [truncated by whytrace: ${details}]`;

class Copier {
  weight = 0;
  readonly #redact: Redact | undefined;
  readonly #maxWeight: number;
  readonly #ancestors = new Set<object>();

  constructor(redact: Redact | undefined, maxWeight: number) {
    this.#redact = redact;
    this.#maxWeight = maxWeight;
  }

  copy(given: unknown, path: string, depth: number): unknown {
    const value = this.#redact ? callRedact(this.#redact, given, path) : given;
    this.weight += VALUE_WEIGHT;
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "boolean":
        return value;
      case "undefined":
        return undefined;
      case "bigint":
      case "symbol":
        return this.#text(String(value));
      case "function":
        return this.#text(`[function ${nameOf(value)}]`);
      default:
        return typeof value === "object" && value !== null ? this.#object(value, path, depth) : null;
    }
  }

  #text(text: string): string {
    const maxBytes = Math.max(0, this.#maxWeight - this.weight);
    const bytes = text.length > maxBytes ? text.length : byteLength(text);
    this.weight += Math.min(bytes, maxBytes);
    return bytes <= maxBytes
      ? text
      : truncateUtf8(text, maxBytes) + truncationMark(`${text.length} characters in all`);
  }

  #object(value: object, path: string, depth: number): unknown {
    if (this.#ancestors.has(value)) return "[circular]";
    if (depth >= MAX_DEPTH) return `[deeper than ${MAX_DEPTH} levels]`;
    this.#ancestors.add(value);
    try {
      return this.#contents(value, path, depth);
    } catch (error) {
      if (error instanceof RedactError) throw error;
      return `[unreadable: ${describeError(error)}]`;
    } finally {
      this.#ancestors.delete(value);
    }
  }

  #contents(value: object, path: string, depth: number): unknown {
    if (Array.isArray(value)) return this.#list(value, path, depth);
    if (value instanceof Date)
      return Number.isNaN(value.getTime()) ? "Invalid Date" : this.#text(value.toISOString());
    if (value instanceof Map)
      return [...value.keys()].every((key) => typeof key === "string")
        ? this.#fields(value.keys(), (key) => value.get(key), path, depth)
        : this.#list([...value], path, depth);
    if (value instanceof Set) return this.#list([...value], path, depth);
    if (value instanceof RegExp) return this.#text(String(value));
    if (value instanceof Promise) return "[Promise]";
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
      return `[${nameOf(value.constructor)} of ${value.byteLength} bytes]`;
    if ("toJSON" in value && typeof value.toJSON === "function")
      return this.#replacement(value.toJSON(), path, depth + 1);
    if (value instanceof Error) return this.#error(value, path, depth);
    const keys = Object.keys(value);
    const kind = nameOf(value.constructor);
    if (keys.length === 0 && kind !== "" && kind !== "Object") return `[${kind}]`;
    return this.#fields(keys, (key) => (value as Record<string, unknown>)[key], path, depth);
  }

  /** The result of toJSON replaces the value: it is redacted, too, but its weight is not counted twice. */
  #replacement(value: unknown, path: string, depth: number): unknown {
    this.weight -= VALUE_WEIGHT;
    return this.copy(value, path, depth);
  }

  #error(error: Error, path: string, depth: number): unknown {
    const own: Record<string, unknown> = { ...error };
    const all: Record<string, unknown> = { name: error.name, message: error.message, ...own };
    if (error.cause !== undefined) all.cause = error.cause;
    if (error.stack) all.stack = error.stack;
    return this.#fields(Object.keys(all), (key) => all[key], path, depth);
  }

  #list(items: unknown[], path: string, depth: number): unknown[] {
    const copy: unknown[] = [];
    for (let index = 0; index < items.length; index++) {
      if (this.weight >= this.#maxWeight) {
        copy.push(truncationMark(`${items.length} items in all`));
        break;
      }
      copy.push(this.copy(items[index], this.#redact ? `${path}.${index}` : path, depth + 1) ?? null);
    }
    return copy;
  }

  #fields(
    keys: Iterable<string>,
    read: (key: string) => unknown,
    path: string,
    depth: number,
  ): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const key of keys) {
      if (this.weight >= this.#maxWeight) {
        copy["…"] = truncationMark("more fields");
        break;
      }
      const value = this.#field(read, key, this.#redact ? `${path}.${key}` : path, depth);
      if (value === undefined) continue;
      this.weight += key.length;
      const name = key.length > 1_024 ? this.#text(key) : key;
      if (name === "__proto__")
        Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
      else copy[name] = value;
    }
    return copy;
  }

  #field(read: (key: string) => unknown, key: string, path: string, depth: number): unknown {
    let value: unknown;
    try {
      value = read(key);
    } catch (error) {
      return `[unreadable: ${describeError(error)}]`;
    }
    return this.copy(value, path, depth + 1);
  }
}

function callRedact(redact: Redact, value: unknown, path: string): unknown {
  try {
    return redact(value, path);
  } catch (cause) {
    throw new RedactError(`redact threw at ${path}`, { cause });
  }
}

function nameOf(named: unknown): string {
  try {
    const name: unknown = (named as { name?: unknown } | undefined)?.name;
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}

/** Never throws, whatever value was thrown. */
export function describeError(error: unknown): string {
  try {
    if (error instanceof Error) return error.message || error.name;
    return typeof error === "string" ? error : (JSON.stringify(error) ?? String(error));
  } catch {
    return "unknown error";
  }
}
