import { type ComparedError, maskText } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { errorsQuery } from "../../traces/errors-query.ts";
import type { DayRange } from "../days/read-days.ts";
import { startedIn } from "../started-in.ts";
import { driftTest } from "../statistics/drift-test.ts";
import { holm } from "../statistics/hypothesis-tests/holm.ts";
import type { ComparedRun } from "./compared-run.ts";
import { countBySession } from "./count-by-session.ts";

/** Of more errors the newest are read. */
const MAX_READ_ERRORS = 20_000;
/** Of more kinds of errors those of the most runs are tested. */
const MAX_TESTED = 200;
const MAX_LISTED = 50;
const MAX_P = 0.05;

interface ErrorRow {
  traceId: string;
  name: string;
  message: string | null;
}

/** The errors of an agent's runs that started in a time range. */
export async function readErrors(
  db: Database,
  workspaceId: WorkspaceId,
  agent: string,
  range: DayRange,
): Promise<{ errors: ErrorRow[]; isTruncated: boolean }> {
  const { rows } = await sql<ErrorRow>`
    select trace_id, name, message from (
      select trace_id, name, message, at from (${errorsQuery(workspaceId)}) as errors
      where at >= ${range.from}::date::timestamp at time zone 'utc'
        and trace_id in (
          select id from traces
          where workspace_id = ${workspaceId} and agent_hash = ${agentHash(agent)} and ${startedIn(range)})
      order by at desc limit ${sql.lit(MAX_READ_ERRORS)}) as newest`.execute(db);
  return { errors: rows, isTruncated: rows.length === MAX_READ_ERRORS };
}

interface Side {
  runs: readonly ComparedRun[];
  errors: readonly ErrorRow[];
}

interface ErrorKind {
  message: string | null;
  /** The runs with this error, by side. */
  base: Set<string>;
  current: Set<string>;
  names: Map<string, number>;
  newest: ErrorRow;
}

/** Errors with the same message are one, whichever spans had it: a tool hands its error on to the spans around it. */
export const compareErrors = (base: Side, current: Side): Promise<ComparedError[]> =>
  runInTimeSlices(compare(base, current));

function* compare(base: Side, current: Side): Generator<undefined, ComparedError[]> {
  const kinds = new Map<string, ErrorKind>();
  yield* addErrors(kinds, current, "current");
  yield* addErrors(kinds, base, "base");
  const most = [...kinds.values()].sort((one, other) => runsOf(other) - runsOf(one)).slice(0, MAX_TESTED);
  const tested: { kind: ErrorKind; p: number | null }[] = [];
  for (const kind of most) {
    const counts = (["base", "current"] as const).map(
      (side) =>
        countBySession(side === "base" ? base.runs : current.runs, ({ id, isBad }) =>
          isBad === null ? null : kind[side].has(id),
        ).counts,
    );
    const [before, after] = counts;
    tested.push({ kind, p: before && after ? driftTest(before, after).p : null });
    yield;
  }
  const known = tested.filter(({ p }) => p !== null);
  const adjusted = holm(known.map(({ p }) => p ?? 1));
  return tested
    .map((one): ComparedError => {
      const p = one.p === null ? null : (adjusted[known.indexOf(one)] ?? 1);
      return describe(one.kind, p, { base: base.runs.length, current: current.runs.length });
    })
    .filter(({ change, isClear }) => isClear || change === "new" || change === "gone")
    .sort((one, other) => Number(other.isClear) - Number(one.isClear) || weightOf(other) - weightOf(one))
    .slice(0, MAX_LISTED);
}

function* addErrors(
  kinds: Map<string, ErrorKind>,
  { runs, errors }: Side,
  side: "base" | "current",
): Generator<undefined, void> {
  const ids = new Set(runs.flatMap(({ id, isBad }) => (isBad === null ? [] : [id])));
  for (const error of errors) {
    if (!ids.has(error.traceId)) continue;
    const message = error.message === null ? null : maskText(error.message);
    const key = message === null ? `n${maskText(error.name)}` : `m${message}`;
    const kind = kinds.get(key) ?? {
      message,
      base: new Set(),
      current: new Set(),
      names: new Map(),
      newest: error,
    };
    kinds.set(key, kind);
    kind[side].add(error.traceId);
    kind.names.set(error.name, (kind.names.get(error.name) ?? 0) + 1);
    yield;
  }
}

const runsOf = ({ base, current }: ErrorKind) => base.size + current.size;
const weightOf = ({ base, current }: ComparedError) => base + current;

function describe(
  { message, base, current, names, newest }: ErrorKind,
  p: number | null,
  runs: { base: number; current: number },
): ComparedError {
  const [name = ""] = [...names].sort(([, one], [, other]) => other - one)[0] ?? [];
  const isMore = current.size / Math.max(1, runs.current) > base.size / Math.max(1, runs.base);
  return {
    name,
    message,
    base: base.size,
    current: current.size,
    change: base.size === 0 ? "new" : current.size === 0 ? "gone" : isMore ? "more" : "fewer",
    p,
    isClear: p !== null && p < MAX_P,
    traceId: newest.traceId,
    sent: { error: newest.name, errorMessage: newest.message },
  };
}
