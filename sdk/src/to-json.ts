import { byteLength, cutBytes } from "./byte-length.ts";

/*
 * A copy of any value that JSON can hold, made when it is recorded: what the caller changes later does not change the
 * record, and nothing the caller records can make a send fail. The weight of a value bounds two things at once: its
 * bytes, and by counting every value as VALUE_WEIGHT at least, the number of values, of which the server takes
 * 1,000,000 in the 10 MiB of a body.
 */

export const VALUE_WEIGHT = 11;
/** Of one field: more would not leave room in a body for anything else. */
export const FIELD_MAX_WEIGHT = 8 * 1_024 * 1_024;
/** The server takes 256, and a field lies a few levels deep itself. */
const MAX_DEPTH = 200;

export type Redact = (value: unknown, path: string) => unknown;

/** The user's redact threw: nothing of the field may be sent. */
export class RedactFailure extends Error {}

export interface Captured {
  /** Undefined when there is nothing to keep. */
  value: unknown;
  weight: number;
}

export function toJson(
  value: unknown,
  path: string,
  redact?: Redact,
  maxWeight = FIELD_MAX_WEIGHT,
): Captured {
  const copier = new Copier(redact, maxWeight);
  const copy = copier.copy(value, path, 0);
  return { value: copy, weight: copier.weight };
}

export const cutMark = (what: string) => `… [cut by whytrace: ${what}]`;

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
    const value = this.#redact ? redacted(this.#redact, given, path) : given;
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
        return this.#text(String(value));
      case "symbol":
        return this.#text(String(value));
      case "function":
        return this.#text(`[function ${nameOf(value)}]`);
      default:
        return typeof value === "object" && value !== null ? this.#object(value, path, depth) : null;
    }
  }

  #text(text: string): string {
    const room = Math.max(0, this.#maxWeight - this.weight);
    const bytes = text.length > room ? text.length : byteLength(text);
    this.weight += Math.min(bytes, room);
    return bytes <= room ? text : cutBytes(text, room) + cutMark(`${text.length} characters in all`);
  }

  #object(value: object, path: string, depth: number): unknown {
    if (this.#ancestors.has(value)) return "[circular]";
    if (depth >= MAX_DEPTH) return `[deeper than ${MAX_DEPTH} levels]`;
    this.#ancestors.add(value);
    try {
      return this.#open(value, path, depth);
    } catch (error) {
      if (error instanceof RedactFailure) throw error;
      return `[unreadable: ${describeError(error)}]`;
    } finally {
      this.#ancestors.delete(value);
    }
  }

  #open(value: object, path: string, depth: number): unknown {
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
      return this.#inner(value.toJSON(), path, depth + 1);
    if (value instanceof Error) return this.#error(value, path, depth);
    const keys = Object.keys(value);
    const kind = nameOf(value.constructor);
    if (keys.length === 0 && kind !== "" && kind !== "Object") return `[${kind}]`;
    return this.#fields(keys, (key) => (value as Record<string, unknown>)[key], path, depth);
  }

  /** What toJSON returns stands in the place of the value: redact has seen the place, not yet what is in it. */
  #inner(value: unknown, path: string, depth: number): unknown {
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
        copy.push(cutMark(`${items.length} items in all`));
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
        copy["…"] = cutMark("more fields");
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

function redacted(redact: Redact, value: unknown, path: string): unknown {
  try {
    return redact(value, path);
  } catch (cause) {
    throw new RedactFailure(`redact threw at ${path}`, { cause });
  }
}

function nameOf(thing: unknown): string {
  try {
    const name: unknown = (thing as { name?: unknown } | undefined)?.name;
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}

/** What went wrong, in one line, whatever was thrown. */
export function describeError(error: unknown): string {
  try {
    if (error instanceof Error) return error.message || error.name;
    return typeof error === "string" ? error : (JSON.stringify(error) ?? String(error));
  } catch {
    return "unknown error";
  }
}
