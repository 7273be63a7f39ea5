import type pg from "pg";
import type { Database } from "../../db/database.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import type { Prices } from "../../prices/price-trace.ts";
import type { LockedBatch } from "../batch/lock-batch.ts";
import type { TraceSummary } from "../batch/workspace-batch.ts";
import { type CountChanges, sumChanges } from "../counts/count-changes.ts";
import type { RunChange } from "../problems/run-problems.ts";
import { type TraceRows, uuidBytes } from "../rows/encode-traces.ts";
import type { CarriedByTrace } from "../scores/replace-carried-scores.ts";
import { joinsOpenParts, openPartsOf } from "./add-piece-payloads.ts";
import { type MergedPiece, mergePiece } from "./merge-piece.ts";
import { deleteReplacedSpans, updateMergedTraces } from "./merge-statements.ts";
import { type ExpectedParts, OpenParts } from "./open-parts.ts";
import { OutdatedRows } from "./outdated-rows.ts";
import { planMerge } from "./plan-merge.ts";
import { rejectPieces } from "./reject-pieces.ts";
import { isPostedSpan, type Merge, readStoredPieces } from "./stored-pieces.ts";

/*
 * OpenTelemetry sends a trace in pieces: children before parents, sometimes one span per request. A piece is merged into what
 * is stored: new spans are appended, spans that exist are completed and updated, and name, status, totals and decisions of the trace are
 * derived again from what is kept of all its spans (`otlp_parts`). So the result does not depend on the order.
 *
 * Deriving takes time in proportion to the trace. A small trace is derived with each piece. A large one is derived when it
 * has grown by a quarter, when its root comes, and by a worker (otlp/derive/late-derivations.ts) when no span has come for a while,
 * the longer the larger the trace is. So the cost of a span does not grow with its trace. A trace of thousands of spans is
 * derived only in the thread for large bodies: elsewhere its row says that it is due, and the worker passes it on.
 */

interface MergeOptions {
  rows: TraceRows;
  prices: Prices | undefined;
  /** Traces with more spans are derived elsewhere. */
  maxDerivedSpans: number;
  definitions: Definitions;
}

/** What is left to write when a workspace's pieces are merged. */
export interface MergedPieces {
  /** What the traces are after their pieces were merged, by id. */
  summaries: ReadonlyMap<string, TraceSummary>;
  /** Why pieces were left out, by the id of their trace: the trace has as much as it may have. */
  rejected: ReadonlyMap<string, string>;
  counts: CountChanges;
  scores: CarriedByTrace;
  /** The traces whose columns are computed from their rows, when all rows are written. */
  outdatedTraces: string[];
  /** The runs whose problems are known. */
  runs: RunChange[];
}

/** Merges a workspace's pieces up to the rows that still have to be copied, which are added to `rows`. */
export async function mergePieces(
  client: pg.PoolClient,
  trx: Database,
  { workspaceId, requests, existing }: LockedBatch,
  { rows, prices, maxDerivedSpans, definitions }: MergeOptions,
): Promise<MergedPieces> {
  const planned = requests.flatMap(({ request: { merge }, pieces }) =>
    merge
      ? pieces.map((piece) => planMerge(piece, merge.codec, existing.get(piece.id), maxDerivedSpans))
      : [],
  );
  const merges = await readStoredPieces(trx, workspaceId, planned);
  const rejected = await rejectPieces(trx, workspaceId, merges);
  const accepted = merges.filter(({ piece }) => !rejected.has(piece.id));
  const deletedEvents = await deleteReplacedSpans(trx, workspaceId, accepted.flatMap(replacedSpans));
  const outdated = new OutdatedRows();
  const openParts = new OpenParts(client, workspaceId, accepted.flatMap(expectedParts));
  const context = {
    client,
    trx,
    workspaceId,
    workspace: uuidBytes(workspaceId),
    prices,
    definitions,
    rows,
    outdated,
    openParts,
  };
  const merged: MergedPiece[] = [];
  for (const merge of accepted)
    merged.push(await mergePiece(context, merge, deletedEvents.get(merge.piece.id) ?? 0));
  await Promise.all([
    outdated.delete(trx, workspaceId),
    updateMergedTraces(
      trx,
      workspaceId,
      merged.flatMap(({ row }) => row ?? []),
    ),
  ]);
  return {
    summaries: new Map(merged.map(({ summary }) => [summary.id, summary])),
    rejected,
    counts: sumChanges(merged.map(({ counts }) => counts)),
    scores: new Map(merged.flatMap(({ summary, scores }) => (scores ? [[summary.id, scores] as const] : []))),
    outdatedTraces: merged.flatMap(({ summary, hasOutdatedColumns }) =>
      hasOutdatedColumns ? summary.id : [],
    ),
    runs: merged.flatMap(({ summary: { id }, run }) => {
      const { problems = [], createdAt } = existing.get(id) ?? {};
      return run ? { ...run, id, before: problems, createdAt } : [];
    }),
  };
}

/** The stored spans that are written again. */
function replacedSpans({ piece, stored }: Merge): { traceId: string; id: string; hasEvents: boolean }[] {
  const withEvents = new Set(piece.events.map(({ spanId }) => spanId));
  return [...stored.spans.keys()]
    .filter((id) => !isPostedSpan(stored, id))
    .map((id) => ({ traceId: piece.id, id, hasEvents: withEvents.has(id) }));
}

/** The stored parts with which the payloads of a piece are packed together. */
function expectedParts({ piece, stored }: Merge): ExpectedParts[] {
  const open = openPartsOf(stored);
  return piece.spans.length > 0 && joinsOpenParts(piece, open)
    ? [{ traceId: piece.id, firstPart: open.firstPart, bytes: open.bytes }]
    : [];
}
