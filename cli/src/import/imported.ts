export type Attribute = string | number | boolean | string[];

export interface ImportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  startMs: number;
  endMs: number;
  /** Undefined: it did not fail. */
  error?: string | undefined;
  attributes: Record<string, Attribute>;
  events: { name: string; timeMs: number; attributes: Record<string, Attribute> }[];
}

export interface ImportedScore {
  id: string;
  traceId: string;
  spanId?: string | undefined;
  name: string;
  value: number | boolean | string;
  label?: string | undefined;
  source: "user" | "judge" | "code" | "person";
  comment?: string | undefined;
  timestamp?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface Imported {
  spans: ImportedSpan[];
  scores: ImportedScore[];
}

/** Reads the records of one tool's export files. */
export type Importer = (records: Record<string, unknown>[], report: ImportReport) => Imported;

/** Counts what has no place in Whytrace. */
export class ImportReport {
  readonly #counts = new Map<string, number>();

  leaveOut(field: string, kind: string) {
    const key = `${field} of ${kind}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The most frequent first. */
  get leftOut(): { what: string; count: number }[] {
    return [...this.#counts]
      .map(([what, count]) => ({ what, count }))
      .sort((one, other) => other.count - one.count);
  }
}
