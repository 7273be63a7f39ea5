import {
  type SearchField,
  type SearchHit,
  type SearchRecord,
  STATUSES,
  type Status,
} from "@whytrace/contract";
import type { CopiedResults } from "../db/copy/copy-to-buffer.ts";
import {
  readArray,
  readCopiedRows,
  readInteger,
  readText,
  type ValueRange,
} from "../db/copy/read-copied-rows.ts";
import { PACKED_FIELDS, type PackedKind } from "../payloads/packed-fields.ts";
import { decodeDirectory, type PackedChild, type PayloadDirectory } from "../payloads/payload-directory.ts";
import { decompressInline } from "../payloads/zstd.ts";
import {
  CHUNK_RESULTS,
  type Column,
  FIELD_FORMATS,
  SECTIONS,
  type Section,
  type SectionName,
} from "./chunk-sections.ts";
import { type Excerpt, excerptOf } from "./excerpt.ts";
import { FirstItems } from "./first-items.ts";
import { type FieldMatch, type FieldRange, matchFields } from "./match-fields.ts";
import type { SearchPattern } from "./search-pattern.ts";

export interface TraceChunk extends CopiedResults {
  traceCount: number;
  /** No trace is searched after that many hits. */
  maxHits: number;
  maxHitsPerTrace: number;
  /** Whether the fields of the trace itself were searched already, with another slice of it. */
  isContinued?: boolean;
}

type FoundHit = Pick<SearchHit, "record" | "field" | "before" | "match" | "after">;

export interface FoundTrace {
  ordinal: number;
  name: string;
  status: Status;
  /** The first hits. */
  hits: FoundHit[];
  hitCount: number;
}

export interface SearchedChunk {
  /** The traces with hits, in the chunk's order. */
  found: FoundTrace[];
  /** How many of the chunk's traces were searched. */
  traces: number;
  /** How many bytes were searched, uncompressed. */
  bytes: number;
}

interface Match {
  kind: SearchRecord;
  position: number;
  field: SearchField;
  bytes: Buffer;
  range: FieldMatch<FieldRange>;
}

/** A match without the bytes in which it was found. */
interface Excerpted extends Omit<Match, "bytes" | "range"> {
  excerpt: Excerpt;
}

interface SectionField extends ValueRange {
  ordinal: number;
  position: number;
  field: SearchField;
}

interface PayloadField extends FieldRange {
  child: PackedChild;
  field: SearchField;
}

interface Part {
  number: number;
  directory: PayloadDirectory;
  pieces: { start: number; bytes: Buffer }[];
}

/** The records of one kind in one trace. */
interface RecordIndex {
  /** The index of each position in the arrays of the columns. */
  positions: Map<number, number>;
  columns: Partial<Record<Column, ValueRange[]>>;
}

interface StoredRecord {
  id: string;
  name: string;
  status: string;
}

const KINDS = ["trace", "span", "decisionPoint", "event"] as const satisfies SearchRecord[];
const SECTION_OF_KIND = {
  trace: "traces",
  span: "spans",
  decisionPoint: "decisionPoints",
  event: "events",
} as const satisfies Record<SearchRecord, SectionName>;
const KIND_OF_PACKED: Readonly<Record<PackedKind, SearchRecord>> = { spans: "span", events: "event" };
const FIELDS = Object.keys(FIELD_FORMATS);

const isField = (column: string): column is SearchField => Object.hasOwn(FIELD_FORMATS, column);

/** Searches a chunk. `steps` yields often, so that the thread can search for others between. */
export class ChunkSearch {
  /** Bytes of decompressed payloads in memory: one part. */
  heldBytes = 0;
  readonly #chunk: TraceChunk;
  readonly #bytes: Buffer;
  readonly #pattern: SearchPattern;
  readonly #matches = new Map<number, FirstItems<Place, Excerpted>>();
  readonly #rows = new Map<SectionName, Map<number, ValueRange[]>>();
  /** The records of the trace that is being searched. */
  readonly #records = new Map<SearchRecord, RecordIndex>();
  #searchedBytes = 0;

  constructor(chunk: TraceChunk, pattern: SearchPattern) {
    this.#chunk = chunk;
    this.#bytes = chunk.bytes;
    this.#pattern = pattern;
  }

  *steps(): Generator<undefined, SearchedChunk> {
    for (const name of CHUNK_RESULTS)
      if (name !== "parts" && !(name === "traces" && this.#chunk.isContinued))
        yield* this.#searchSection(name);
    const parts = this.#readParts();
    const found: FoundTrace[] = [];
    const { traceCount, maxHits, maxHitsPerTrace } = this.#chunk;
    let hits = 0;
    let ordinal = 0;
    for (; ordinal < traceCount && hits < maxHits; ordinal += 1) {
      yield* this.#searchParts(ordinal, parts.get(ordinal) ?? []);
      const trace = this.#describeTrace(ordinal, Math.min(maxHitsPerTrace, maxHits - hits));
      if (trace) found.push(trace);
      hits += trace?.hits.length ?? 0;
      this.#matches.delete(ordinal);
      this.#records.clear();
    }
    return { found, traces: ordinal, bytes: this.#searchedBytes };
  }

  *#searchSection(name: SectionName): Generator<undefined> {
    const { kind } = SECTIONS[name];
    const { start, end } = this.#range(name);
    const bytes = this.#bytes.subarray(start, end);
    this.#searchedBytes += bytes.length;
    for (const format of ["text", "json"] as const) {
      const fields = () => this.#sectionFields(name, format);
      for (const range of matchFields(bytes, format, this.#pattern, fields))
        if (range) {
          const { ordinal, position, field } = range.field;
          this.#add(ordinal, { kind, position, field, bytes, range });
        } else yield;
    }
  }

  /** The section's fields of one format, with their places relative to the section. */
  *#sectionFields(name: SectionName, format: "text" | "json"): Generator<SectionField> {
    const section = this.#range(name);
    const { columns }: Section = SECTIONS[name];
    for (const [ordinal, row] of this.#rowsOf(name)) {
      const positions = readArray(this.#bytes, row[1] ?? NULL);
      for (const [index, column] of columns.entries()) {
        if (!isField(column) || FIELD_FORMATS[column] !== format) continue;
        for (const [at, { start, end }] of readArray(this.#bytes, row[index + 2] ?? NULL).entries())
          if (start >= 0)
            yield {
              start: start - section.start,
              end: end - section.start,
              ordinal,
              position: readInteger(this.#bytes, positions[at]),
              field: column,
            };
      }
    }
  }

  *#searchParts(ordinal: number, parts: Part[]): Generator<undefined> {
    const newest = newestParts(parts);
    for (const part of parts) {
      const content = decompressInline(concat(part.pieces), part.directory.contentLength);
      this.#searchedBytes += content.length;
      this.heldBytes = content.length;
      const fields = () => payloadFields(part.directory);
      for (const range of matchFields(content, "json", this.#pattern, fields)) {
        if (!range) {
          yield;
          continue;
        }
        const { child, field } = range.field;
        const kind = KIND_OF_PACKED[child.kind];
        // A part may hold payloads of children that were replaced, or that are not in this slice of the trace.
        if (newest(child) === part && this.#record(kind, ordinal, child.position))
          this.#add(ordinal, { kind, position: child.position, field, bytes: content, range });
      }
      this.heldBytes = 0;
      free(content);
    }
  }

  #add(ordinal: number, { bytes, range, ...match }: Match) {
    const { maxHits, maxHitsPerTrace } = this.#chunk;
    const matches =
      this.#matches.get(ordinal) ??
      new FirstItems<Place, Excerpted>(Math.min(maxHits, maxHitsPerTrace), compareMatches);
    this.#matches.set(ordinal, matches);
    matches.add(match, () => ({ ...match, excerpt: excerptOf(bytes, range, FIELD_FORMATS[match.field]) }));
  }

  #describeTrace(ordinal: number, maxHits: number): FoundTrace | undefined {
    const matches = this.#matches.get(ordinal);
    const trace = this.#record("trace", ordinal, 0);
    if (!matches || !trace) return undefined;
    const hits = matches.items.slice(0, maxHits).flatMap(({ kind, position, field, excerpt }) => {
      const record = this.#record(kind, ordinal, position);
      if (!record) return [];
      const { id, name } = record;
      return [{ record: { kind, id, name }, field, ...excerpt }];
    });
    const status = STATUSES.find((known) => known === trace.status) ?? "RUNNING";
    return { ordinal, name: trace.name, status, hits, hitCount: matches.count };
  }

  /** The record at a position of the trace that is being searched, if the database has it. */
  #record(kind: SearchRecord, ordinal: number, position: number): StoredRecord | undefined {
    const index = this.#records.get(kind) ?? this.#indexRecords(kind, ordinal);
    this.#records.set(kind, index);
    const at = index.positions.get(position);
    if (at === undefined) return undefined;
    const { [kind === "decisionPoint" ? "title" : "name"]: names, id, status } = index.columns;
    return {
      id: readText(this.#bytes, id?.[at]),
      name: readText(this.#bytes, names?.[at]),
      status: readText(this.#bytes, status?.[at]),
    };
  }

  #indexRecords(kind: SearchRecord, ordinal: number): RecordIndex {
    const name = SECTION_OF_KIND[kind];
    const [, positions = NULL, ...values] = this.#rowsOf(name).get(ordinal) ?? [];
    const places = readArray(this.#bytes, positions).map((value) => readInteger(this.#bytes, value));
    return {
      positions: new Map(places.map((position, at) => [position, at])),
      columns: Object.fromEntries(
        SECTIONS[name].columns.map((column, index) => [
          column,
          readArray(this.#bytes, values[index] ?? NULL),
        ]),
      ),
    };
  }

  /** The rows of a section by the ordinals of their traces, in the order of the bytes. */
  #rowsOf(name: SectionName): Map<number, ValueRange[]> {
    const known = this.#rows.get(name);
    if (known) return known;
    const rows = new Map<number, ValueRange[]>();
    for (const row of readCopiedRows(this.#bytes, this.#range(name))) rows.set(this.#ordinalOf(row), row);
    this.#rows.set(name, rows);
    return rows;
  }

  /** The parts of each trace, in ascending order. */
  #readParts(): Map<number, Part[]> {
    const bytes = this.#bytes;
    const rows = [...readCopiedRows(bytes, this.#range("parts"))];
    const byTrace = new Map<number, Map<number, Part>>();
    for (const row of rows) {
      const [, part, start, directory = NULL, piece = NULL] = row;
      const parts = byTrace.get(this.#ordinalOf(row)) ?? new Map<number, Part>();
      byTrace.set(this.#ordinalOf(row), parts);
      const number = readInteger(bytes, part);
      const known = parts.get(number) ?? { number, directory: EMPTY, pieces: [] };
      if (directory.start >= 0) known.directory = decodeDirectory(subarray(bytes, directory));
      known.pieces.push({ start: readInteger(bytes, start), bytes: subarray(bytes, piece) });
      parts.set(number, known);
    }
    return new Map(
      [...byTrace].map(([ordinal, parts]) => [
        ordinal,
        [...parts.values()].sort((a, b) => a.number - b.number),
      ]),
    );
  }

  /** PostgreSQL counts from 1. */
  #ordinalOf([ordinal]: ValueRange[]): number {
    return readInteger(this.#bytes, ordinal) - 1;
  }

  #range(name: SectionName | "parts"): ValueRange {
    return this.#chunk.results[CHUNK_RESULTS.indexOf(name)] ?? NULL;
  }
}

const NULL: ValueRange = { start: -1, end: -1 };
const EMPTY: PayloadDirectory = { contentLength: 0, children: [] };

const subarray = (bytes: Buffer, { start, end }: ValueRange) => bytes.subarray(start, end);

/**
 * Gives the memory of a buffer back at once. Otherwise it would wait for the garbage collector, and there are hundreds of
 * megabytes of it in a second. Small buffers share theirs.
 */
function free({ buffer, length }: Buffer) {
  if (length > Buffer.poolSize && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function concat(pieces: Part["pieces"]): Buffer {
  const [first] = pieces;
  if (first && pieces.length === 1) return first.bytes;
  return Buffer.concat(pieces.sort((a, b) => a.start - b.start).map(({ bytes }) => bytes));
}

function* payloadFields({ children }: PayloadDirectory): Generator<PayloadField> {
  for (const child of children) {
    let { start } = child;
    for (const [index, field] of PACKED_FIELDS[child.kind].entries()) {
      const length = child.lengths[index] ?? 0;
      if (length > 0 && isField(field)) yield { child, field, start, end: start + length };
      start += length;
    }
  }
}

/** Of a child that is in several parts, the payloads in the last one count. */
function newestParts(parts: Part[]): (child: PackedChild) => Part | undefined {
  const [only] = parts;
  if (parts.length === 1) return () => only;
  let byChild: Map<string, Part> | undefined;
  const keyOf = ({ kind, position }: PackedChild) => `${kind} ${position}`;
  return (child) => {
    byChild ??= new Map(
      parts.flatMap((part) => part.directory.children.map((other) => [keyOf(other), part])),
    );
    return byChild.get(keyOf(child));
  };
}

/** Traces first, then spans, decision points and events in the order sent; of each its fields in the order of FIELDS. */
type Place = Pick<Match, "kind" | "position" | "field">;
const compareMatches = (a: Place, b: Place) =>
  KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
  a.position - b.position ||
  FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field);
