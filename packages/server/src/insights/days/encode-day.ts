import { DECISION_POINT_TYPES } from "@whytrace/contract";
import { ByteWriter } from "./byte-writer.ts";
import {
  CHOICE_COLUMNS,
  COUNT_COLUMNS,
  COUNTS,
  GROUP_COLUMNS,
  GROUP_COUNTS,
  VOTE_COLUMNS,
} from "./count-columns.ts";
import type { CountTable } from "./count-table.ts";
import { DAY_VERSION, mergeDay } from "./merge-day.ts";
import { OTHER_AGENTS, ROWS_PER_STEP, Tally } from "./tally.ts";

/** Further agents are counted together. */
export const MAX_DAY_AGENTS = 64;
/** The most frequent rows of each table are kept. */
export const MAX_DAY_ROWS = 5_000;

/** The columns of decision_days. */
export interface EncodedDay {
  choices: Buffer;
  transitions: Buffer;
  errors: Buffer;
}

/*
 * All three begin with the version and whether something was left out; `mergeDay` reads them. Integers are varints, hashes are
 * little-endian. Rows name agents, groups, signatures and traces by their index in a list before them.
 */

/** Ends the day's sessions: no more runs can be added. Other work can run between steps. */
export function* encodeDay(tally: Tally): Generator<undefined, EncodedDay> {
  yield* tally.endSessions();
  const encoded = tally.agents.size > MAX_DAY_AGENTS ? yield* poolAgents(tally) : tally;
  return yield* encode(encoded, { maxRows: MAX_DAY_ROWS });
}

/** Counts the agents with the fewest runs together. */
function* poolAgents(tally: Tally): Generator<undefined, Tally> {
  const runs = new Float64Array(tally.agents.size);
  for (let group = 0; group < tally.groups.size; group += 1) {
    const agent = tally.agentOf(group);
    runs[agent] = (runs[agent] ?? 0) + tally.groups.get(group, GROUP_COUNTS.runs);
  }
  const named = [...runs.keys()].filter((agent) => tally.agentHash(agent) !== OTHER_AGENTS);
  named.sort((a, b) => (runs[b] ?? 0) - (runs[a] ?? 0) || tally.agentHash(a) - tally.agentHash(b));
  const kept = new Set(named.slice(0, MAX_DAY_AGENTS - 1));
  const pooled = new Tally();
  // Rows that become equal are added to each other when they are read.
  const isKept = (agent: number) => kept.has(agent);
  yield* mergeDay(pooled, yield* encode(tally, { maxRows: Number.POSITIVE_INFINITY, isKept }));
  pooled.isTruncated = true;
  return pooled;
}

interface EncodeOptions {
  maxRows: number;
  /** Whether an agent, by its row, keeps its name. */
  isKept?: (agent: number) => boolean;
}

function* encode(tally: Tally, options: EncodeOptions): Generator<undefined, EncodedDay> {
  return {
    choices: yield* encodeChoices(tally, options),
    transitions: yield* encodeTransitions(tally, options),
    errors: yield* encodeErrors(tally, options),
  };
}

function* encodeChoices(tally: Tally, options: EncodeOptions): Generator<undefined, Buffer> {
  const { groups, choices } = tally;
  const rows = mostFrequent(choices, options.maxRows, (row) => {
    let decisions = choices.get(row, COUNTS.open) + choices.get(row, COUNTS.unknown);
    for (let outcome = 0; outcome < COUNTS.open; outcome += 1) decisions += choices.get(row, outcome);
    return decisions;
  });
  yield;
  const bytes = start(tally, rows.length < choices.size);
  writeAgents(bytes, tally, options);
  const traces = new TextIndex();
  for (const id of tally.groupSamples) traces.add(id);
  for (const row of rows) traces.add(tally.samples[row]?.traceId ?? "");
  bytes.varint(traces.texts.length);
  for (const text of traces.texts) bytes.text(text);
  yield;

  bytes.varint(groups.size);
  for (let group = 0; group < groups.size; group += 1) {
    bytes.varint(tally.agentOf(group));
    bytes.uint32(tally.releaseOf(group));
    bytes.varint(traces.add(tally.groupSamples[group] ?? ""));
    for (let column = 0; column < GROUP_COLUMNS - 1; column += 1) bytes.varint(groups.get(group, column));
    if (groups.get(group, GROUP_COUNTS.costs) > 0) bytes.double(groups.get(group, GROUP_COUNTS.costUsd));
  }

  const signatures = new Map<number, number>();
  for (const row of rows) {
    const signature = tally.signatures[row] ?? 0;
    if (!signatures.has(signature)) signatures.set(signature, row);
  }
  bytes.varint(signatures.size);
  for (const [signature, row] of signatures) {
    bytes.double(signature);
    bytes.byte(Math.max(0, DECISION_POINT_TYPES.indexOf(tally.types[row] ?? "CUSTOM")));
  }
  const indexes = new Map([...signatures.keys()].map((signature, index) => [signature, index]));
  yield;
  const cellsOf = cellsByRow(tally);
  bytes.varint(rows.length);
  for (const row of rows) {
    if (row % ROWS_PER_STEP === 0) yield;
    bytes.varint(indexes.get(tally.signatures[row] ?? 0) ?? 0);
    bytes.varint(tally.groupOf(row));
    bytes.uint32(tally.stepOf(row));
    bytes.varint(traces.add(tally.samples[row]?.traceId ?? ""));
    bytes.varint(tally.samples[row]?.position ?? 0);
    for (let column = 0; column < CHOICE_COLUMNS; column += 1) bytes.varint(choices.get(row, column));
    writeVotes(bytes, tally, row);
    writeHistogram(bytes, tally, cellsOf(row));
  }
  return bytes.end();
}

/** The rows of `histograms`, sorted by row of `choices`: those of a row are between its start and the next one's. */
function cellsByRow({ histograms, choices }: Tally) {
  const starts = new Int32Array(choices.size + 1);
  const rowOf = (cell: number) => histograms.keys.key(cell, 0);
  for (let cell = 0; cell < histograms.size; cell += 1)
    starts[rowOf(cell) + 1] = (starts[rowOf(cell) + 1] ?? 0) + 1;
  for (let row = 0; row < choices.size; row += 1)
    starts[row + 1] = (starts[row + 1] ?? 0) + (starts[row] ?? 0);
  const cells = new Int32Array(histograms.size);
  const next = starts.slice();
  for (let cell = 0; cell < histograms.size; cell += 1) {
    const at = next[rowOf(cell)] ?? 0;
    cells[at] = cell;
    next[rowOf(cell)] = at + 1;
  }
  return (row: number) => cells.subarray(starts[row], starts[row + 1]);
}

function writeVotes(bytes: ByteWriter, { votes }: Tally, choiceRow: number) {
  const row = votes.keys.find(choiceRow, 0, 0);
  bytes.byte(row < 0 ? 0 : 1);
  for (let column = 0; row >= 0 && column < VOTE_COLUMNS; column += 1) bytes.varint(votes.get(row, column));
}

function writeHistogram(bytes: ByteWriter, { histograms }: Tally, cells: Int32Array) {
  bytes.varint(cells.length);
  for (const cell of cells) {
    bytes.varint(histograms.keys.key(cell, 1));
    bytes.varint(histograms.get(cell, 0));
  }
}

function* encodeTransitions(tally: Tally, options: EncodeOptions): Generator<undefined, Buffer> {
  const { transitions } = tally;
  const rows = mostFrequent(transitions, options.maxRows, (row) => {
    return transitions.get(row, COUNTS.runs) + transitions.get(row, COUNTS.unknown);
  });
  const bytes = start(tally, rows.length < transitions.size);
  writeAgents(bytes, tally, options);
  bytes.varint(rows.length);
  for (const row of rows) {
    if (row % ROWS_PER_STEP === 0) yield;
    writeKey(bytes, transitions, row);
    for (let column = 0; column < COUNT_COLUMNS; column += 1) bytes.varint(transitions.get(row, column));
  }
  return bytes.end();
}

function* encodeErrors(tally: Tally, options: EncodeOptions): Generator<undefined, Buffer> {
  const { errors } = tally;
  const rows = mostFrequent(errors, options.maxRows, (row) => errors.get(row, 0));
  const bytes = start(tally, rows.length < errors.size);
  writeAgents(bytes, tally, options);
  bytes.varint(rows.length);
  for (const row of rows) {
    if (row % ROWS_PER_STEP === 0) yield;
    writeKey(bytes, errors, row);
    bytes.varint(errors.get(row, 0));
  }
  return bytes.end();
}

function start(tally: Tally, isCut: boolean): ByteWriter {
  const bytes = new ByteWriter();
  bytes.byte(DAY_VERSION);
  bytes.byte(tally.isTruncated || isCut ? 1 : 0);
  return bytes;
}

function writeAgents(bytes: ByteWriter, tally: Tally, { isKept = () => true }: EncodeOptions) {
  bytes.varint(tally.agents.size);
  for (let agent = 0; agent < tally.agents.size; agent += 1)
    bytes.double(isKept(agent) ? tally.agentHash(agent) : OTHER_AGENTS);
}

/** The key of a row by agent and two hashes. */
function writeKey(bytes: ByteWriter, { keys }: CountTable, row: number) {
  bytes.varint(keys.key(row, 0));
  bytes.uint32(keys.key(row, 1));
  bytes.uint32(keys.key(row, 2));
}

/** The rows of a table, or the most frequent ones if there are too many: of equally frequent ones those that were counted first. */
function mostFrequent(table: CountTable, maxRows: number, frequency: (row: number) => number): number[] {
  const rows = Array.from({ length: table.size }, (_, row) => row);
  if (rows.length <= maxRows) return rows;
  const frequencies = Float64Array.from(rows, frequency);
  const least = frequencies.toSorted()[rows.length - maxRows] ?? 0;
  let equal = maxRows - frequencies.reduce((count, one) => (one > least ? count + 1 : count), 0);
  return rows.filter((row) => {
    const own = frequencies[row] ?? 0;
    if (own === least) equal -= 1;
    return own > least || (own === least && equal >= 0);
  });
}

/** Numbers texts, each once. */
class TextIndex {
  readonly texts: string[] = [];
  readonly #indexes = new Map<string, number>();

  add(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}
