import { DECISION_POINT_TYPES, type DecisionPointType } from "@whytrace/contract";
import { ByteReader } from "./byte-reader.ts";
import { CHOICE_COLUMNS, COUNT_COLUMNS, GROUP_COLUMNS, GROUP_COUNTS, VOTE_COLUMNS } from "./count-columns.ts";
import type { CountedDay } from "./counted-day.ts";
import { BUCKETS, HISTOGRAM_KINDS } from "./histogram-buckets.ts";
import { ROWS_PER_STEP, type Tally } from "./tally.ts";

/** Of the figures of a day. Increase it if their layout or a definition changes: other days are aggregated again. */
export const DAY_VERSION = 5;

interface MergeDayOptions {
  /** Only choices of this signature. */
  signature?: number | undefined;
  /** Whether costs and durations are wanted, too. */
  hasHistograms?: boolean | undefined;
  /** Also counts the choices of the day alone. */
  countedDay?: CountedDay | undefined;
}

/** Whether `mergeDay` can read what was stored. */
export const isCurrentDay = (bytes: Buffer | null): bytes is Buffer => bytes?.[0] === DAY_VERSION;

/** Adds the figures of a day, which `encodeDay` wrote, to a tally. Other work can run between steps. */
export function* mergeDay(
  tally: Tally,
  day: { choices?: Buffer | null; transitions?: Buffer | null; errors?: Buffer | null },
  options: MergeDayOptions = { hasHistograms: true },
): Generator<undefined, void> {
  if (day.choices) yield* addChoices(tally, new ByteReader(day.choices), options);
  if (day.transitions) yield* addTransitions(tally, new ByteReader(day.transitions));
  if (day.errors) yield* addErrors(tally, new ByteReader(day.errors));
}

/** Returns the agents' rows in the tally. */
function readStart(tally: Tally, bytes: ByteReader): number[] {
  // The version.
  bytes.byte();
  if (bytes.byte() === 1) tally.isTruncated = true;
  return readList(bytes, () => tally.agentRow(bytes.double()));
}

function readList<T>(bytes: ByteReader, read: () => T): T[] {
  return Array.from({ length: bytes.varint() }, read);
}

function* addChoices(tally: Tally, bytes: ByteReader, options: MergeDayOptions): Generator<undefined, void> {
  const { signature: wanted, hasHistograms, countedDay } = options;
  const agents = readStart(tally, bytes);
  const traces = readList(bytes, () => bytes.text());
  const groups = readList(bytes, () => readGroup(tally, bytes, agents, traces));
  const signatures = readList(bytes, () => ({ signature: bytes.double(), type: typeOf(bytes.byte()) }));
  for (const group of groups) if (group !== undefined) countedDay?.groups.push(group);
  const { choices } = tally;
  for (let left = bytes.varint(); left > 0; left -= 1) {
    if (left % ROWS_PER_STEP === 0) yield;
    const { signature, type } = signatures[bytes.varint()] ?? { signature: 0, type: "CUSTOM" };
    const group = groups[bytes.varint()];
    const step = bytes.uint32();
    const sample = { traceId: traces[bytes.varint()] ?? "", position: bytes.varint() };
    const row =
      group !== undefined && (wanted === undefined || wanted === signature)
        ? tally.choiceRow({ group, signature, type, step }, sample)
        : undefined;
    for (let column = 0; column < CHOICE_COLUMNS; column += 1) {
      const count = bytes.varint();
      if (row === undefined || count === 0) continue;
      choices.add(row, column, count);
      countedDay?.add(row, column, count);
    }
    addVotes(tally, bytes, row);
    for (let cells = bytes.varint(); cells > 0; cells -= 1) {
      const [cell, count] = [bytes.varint(), bytes.varint()];
      const kind = HISTOGRAM_KINDS[Math.floor(cell / BUCKETS)];
      if (hasHistograms && row !== undefined && kind) tally.addToHistogram(row, kind, cell % BUCKETS, count);
    }
  }
}

function addVotes({ votes }: Tally, bytes: ByteReader, choiceRow: number | undefined) {
  if (bytes.byte() === 0) return;
  const row = choiceRow === undefined ? -1 : votes.row(choiceRow, 0, 0);
  for (let column = 0; column < VOTE_COLUMNS; column += 1) {
    const count = bytes.varint();
    if (row >= 0) votes.add(row, column, count);
  }
}

function readGroup(tally: Tally, bytes: ByteReader, agents: number[], traces: string[]): number | undefined {
  const agent = agents[bytes.varint()] ?? 0;
  const release = bytes.uint32();
  const group = tally.groupRow(agent, release, traces[bytes.varint()] ?? "");
  let costs = 0;
  for (let column = 0; column < GROUP_COLUMNS - 1; column += 1) {
    costs = bytes.varint();
    if (group !== undefined) tally.groups.add(group, column, costs);
  }
  const costUsd = costs > 0 ? bytes.double() : 0;
  if (group !== undefined) tally.groups.add(group, GROUP_COUNTS.costUsd, costUsd);
  return group;
}

const typeOf = (number: number): DecisionPointType => DECISION_POINT_TYPES[number] ?? "CUSTOM";

function* addTransitions(tally: Tally, bytes: ByteReader): Generator<undefined, void> {
  const agents = readStart(tally, bytes);
  for (let left = bytes.varint(); left > 0; left -= 1) {
    if (left % ROWS_PER_STEP === 0) yield;
    const row = tally.transitionRow(agents[bytes.varint()] ?? 0, bytes.uint32(), bytes.uint32());
    for (let column = 0; column < COUNT_COLUMNS; column += 1) {
      const count = bytes.varint();
      if (row !== undefined && count > 0) tally.transitions.add(row, column, count);
    }
  }
}

function* addErrors(tally: Tally, bytes: ByteReader): Generator<undefined, void> {
  const agents = readStart(tally, bytes);
  for (let left = bytes.varint(); left > 0; left -= 1) {
    if (left % ROWS_PER_STEP === 0) yield;
    tally.addError(agents[bytes.varint()] ?? 0, bytes.uint32(), bytes.uint32(), bytes.varint());
  }
}
