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

type Counts = Map<string, number>;

/** Counts what has no place in Whytrace, and what the files lack and the import assumed. */
export class ImportReport {
  readonly #leftOut: Counts = new Map();
  readonly #assumed: Counts = new Map();

  leaveOut(field: string, kind: string) {
    count(this.#leftOut, `${field} of ${kind}`);
  }

  assume(field: string, kind: string) {
    count(this.#assumed, `${field} of ${kind}`);
  }

  get leftOut() {
    return sorted(this.#leftOut);
  }

  get assumed() {
    return sorted(this.#assumed);
  }
}

function count(counts: Counts, what: string) {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** The most frequent first. */
const sorted = (counts: Counts): { what: string; count: number }[] =>
  [...counts].map(([what, count]) => ({ what, count })).sort((one, other) => other.count - one.count);
