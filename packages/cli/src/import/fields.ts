import type { Attribute, ImportReport } from "./imported.ts";

interface FieldsOptions {
  /** In the plural, for the report. */
  kind: string;
  report: ImportReport;
  /** Fields that have no place, and are not worth keeping as metadata. */
  without: ReadonlySet<string>;
}

/** The fields of one record. What nobody takes becomes metadata, or is reported as left out. */
export class Fields {
  readonly #left: Map<string, unknown>;
  readonly #options: FieldsOptions;

  constructor(record: Record<string, unknown>, options: FieldsOptions) {
    this.#options = options;
    this.#left = new Map(Object.entries(record).filter(([, value]) => !isEmpty(value)));
  }

  take(...names: string[]): unknown {
    const found = names.map((name) => {
      const value = this.#left.get(name);
      this.#left.delete(name);
      return value;
    });
    return found.find((value) => value !== undefined);
  }

  text(...names: string[]): string | undefined {
    const value = this.take(...names);
    if (value === undefined) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  }

  number(...names: string[]): number | undefined {
    const value = this.take(...names);
    return value === undefined || !Number.isFinite(Number(value)) ? undefined : Number(value);
  }

  timeMs(...names: string[]): number | undefined {
    return toMs(this.take(...names));
  }

  /** Of records that went through `withStartTimes`. */
  startMs(name: string): number {
    const ms = this.timeMs(name);
    if (ms === undefined) throw new Error(`A record has no ${name}`);
    return ms;
  }

  /** As the server wants it, however the file writes it. */
  isoTime(...names: string[]): string | undefined {
    const ms = this.timeMs(...names);
    return ms === undefined ? undefined : new Date(ms).toISOString();
  }

  record(...names: string[]): Record<string, unknown> {
    const value = this.take(...names);
    return isObject(value) ? value : {};
  }

  list(...names: string[]): unknown[] {
    const value = this.take(...names);
    return Array.isArray(value) ? value : [];
  }

  /** What is left, as attributes, which the server keeps as metadata. */
  rest(prefix: string): Record<string, Attribute> {
    const { without, report, kind } = this.#options;
    const kept = [...this.#left].filter(([name]) => !without.has(name));
    for (const name of this.#left.keys()) if (without.has(name)) report.leaveOut(name, kind);
    this.#left.clear();
    return attributesOf(Object.fromEntries(kept), prefix);
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** Values of metadata as attributes. Lists of texts stay lists, other objects become JSON. */
export function attributesOf(values: Record<string, unknown>, prefix: string): Record<string, Attribute> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [`${prefix}${name}`, toAttribute(value)]),
  );
}

export function toAttribute(value: unknown): Attribute {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  return JSON.stringify(value);
}

/** Times are ISO texts, or milliseconds as data frames write them. A text without a zone is in UTC. */
export function toMs(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const isZoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(value);
  const ms = Date.parse(isZoned ? value : `${value.replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
