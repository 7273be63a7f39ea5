import { sql } from "kysely";
import { mapInSteps } from "../../concurrency/map-in-steps.ts";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { recordChanges } from "../../live/record-changes.ts";
import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import { MaskedFields } from "../../masking/masked-fields.ts";
import { Masker, type MaskingCounts } from "../../masking/masker.ts";
import { dayOf, touchDays } from "../counts/decision-days.ts";
import { refreshComputedColumns } from "../counts/refresh-computed-columns.ts";
import { addTotals, noTotals } from "../counts/totals.ts";
import { refreshAgentSessions } from "../counts/track-agent-sessions.ts";
import { writeProblems } from "../problems/write-problems.ts";
import { deleteManifests } from "../rows/manifests.ts";
import { metadataPair, metadataPairs, splitMetadataPair } from "../rows/metadata-pairs.ts";
import type { SpanFactsCodec } from "../rows/trace-piece.ts";
import { maskStoredChildren } from "./mask-stored-children.ts";
import { maskStoredPayloads } from "./mask-stored-payloads.ts";
import { requireMaskingVersion } from "./require-masking-version.ts";
import type { StoredTrace, TraceToMask } from "./trace-to-mask.ts";

/**
 * Masks stored traces by the rules in force: everything that their rows, payloads, scores and verdicts hold, in the caller's transaction. Returns in
 * how many of them something changed. Traces that these rules have masked already are left out. Throws MaskingChanged if the rules
 * changed meanwhile, and ValueNotChecked if something in one of the traces cannot be checked.
 */
export async function maskStoredTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
  { masking, codec }: { masking: CompiledMasking; codec: SpanFactsCodec },
): Promise<number> {
  const traces = await lockTraces(trx, workspaceId, ids, masking);
  if (traces.length === 0 || masking.isOff) {
    await setVersion(trx, workspaceId, traces, masking.version);
    await requireMaskingVersion(trx, workspaceId, masking.version);
    return 0;
  }
  const changed = await maskStoredPayloads(
    trx,
    workspaceId,
    new Map(traces.map(({ id, fields }) => [id, fields])),
  );
  const rows = await runInTimeSlices(mapInSteps(traces, maskRow));
  for (const [index, row] of rows.entries()) if (isChanged(row, traces[index])) changed.add(row.id);
  const names = new Map(rows.map(({ id, name, mergeState }) => [id, mergeState?.searchedName ?? name]));
  for (const id of await maskStoredChildren(trx, workspaceId, traces, { masking, codec, names }))
    changed.add(id);
  const rewritten = rows.filter(({ id }) => changed.has(id));
  await updateRows(trx, workspaceId, rewritten, masking.version);
  await setVersion(
    trx,
    workspaceId,
    traces.filter(({ id }) => !changed.has(id)),
    masking.version,
  );
  if (rewritten.length === 0) await requireMaskingVersion(trx, workspaceId, masking.version);
  else
    await recount(
      trx,
      workspaceId,
      traces.filter(({ id }) => changed.has(id)),
      rewritten,
      masking.version,
    );
  return rewritten.length;
}

/** In the order in which everybody locks traces. */
async function lockTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
  masking: CompiledMasking,
): Promise<TraceToMask[]> {
  const { rows } = await sql<Omit<StoredTrace, "mergeState"> & { mergeState: string | null }>`
    select id, name, session_id, tags, metadata::text as metadata, metadata_pairs, merge_state, service_version, masked, status, started_at, decision_point_count
    from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)})
      and masking_version is distinct from ${masking.version}
    order by id for update`.execute(trx);
  return rows.map(({ mergeState, ...trace }) => {
    const masker = new Masker(masking, { traceId: trace.id, isStored: true });
    return {
      ...trace,
      mergeState: mergeState === null ? null : JSON.parse(mergeState),
      masker,
      fields: new MaskedFields(masker, masking.level === "structure"),
    };
  });
}

type MaskedRow = Pick<
  StoredTrace,
  "id" | "name" | "sessionId" | "tags" | "metadata" | "metadataPairs" | "mergeState" | "serviceVersion"
> & { masker: Masker; before: MaskingCounts | null };

function maskRow(trace: TraceToMask): MaskedRow {
  const { id, fields, masker, mergeState, masked: before } = trace;
  const stored = trace.metadata === null ? null : Buffer.from(trace.metadata);
  const metadata = stored && Buffer.from(fields.storedPayload(stored, "metadata"));
  return {
    id,
    name: fields.name(trace.name),
    sessionId: fields.session(trace.sessionId),
    tags: fields.tags(trace.tags),
    metadata: metadata?.toString() ?? null,
    metadataPairs: metadata ? metadataPairs(metadata) : maskPairs(trace),
    mergeState: mergeState && {
      ...mergeState,
      ...(mergeState.searchedName !== undefined && { searchedName: fields.name(mergeState.searchedName) }),
      ...(mergeState.posted && {
        posted: { ...mergeState.posted, sessionId: fields.session(mergeState.posted.sessionId) },
      }),
    },
    serviceVersion: trace.serviceVersion && masker.text(trace.serviceVersion, "metadata"),
    masker,
    before,
  };
}

/** What the application says about a run that came by OpenTelemetry. At `structure` nothing of it stays. */
function maskPairs({ metadataPairs: pairs, masker, fields }: TraceToMask): string[] | null {
  if (!pairs || fields.isStructureOnly) return null;
  return pairs.map((pair) => {
    const { key, value } = splitMetadataPair(pair);
    const masked = masker.value(value, "metadata", { name: key });
    return metadataPair(masker.key(key, "metadata"), String(masked));
  });
}

const textOf = (trace: Omit<MaskedRow, "masker" | "before"> | undefined) =>
  trace &&
  JSON.stringify([
    trace.name,
    trace.sessionId,
    trace.tags,
    trace.metadata,
    trace.metadataPairs,
    trace.mergeState,
    trace.serviceVersion,
  ]);
const isChanged = (row: MaskedRow, before: TraceToMask | undefined) => textOf(row) !== textOf(before);

/** The manifest of a running trace says what its rows were, so it must not be used any more. */
async function updateRows(
  trx: Database,
  workspaceId: WorkspaceId,
  rows: readonly MaskedRow[],
  version: number,
): Promise<void> {
  if (rows.length === 0) return;
  const sent = rows.map(({ masker, before, ...row }) => ({
    ...row,
    masked: sumCounts(before, masker.counts),
  }));
  await sql`
    update traces set name = sent.name, session_id = sent."sessionId", tags = sent.tag_list, metadata = sent.metadata_json,
      metadata_pairs = sent.pair_list, merge_state = sent."mergeState", service_version = sent."serviceVersion", masked = sent.masked, masking_version = ${version},
      manifest_hash = null
    from (
      select *, array(select json_array_elements_text(tags)) as tag_list, metadata::json as metadata_json,
        case when "metadataPairs" is not null then array(select json_array_elements_text("metadataPairs")) end as pair_list
      from json_to_recordset(${JSON.stringify(sent)}::json) as sent (id text, name text, "sessionId" text, tags json,
        metadata text, "metadataPairs" json, "mergeState" json, "serviceVersion" text, masked jsonb)
    ) as sent
    where traces.workspace_id = ${workspaceId} and traces.id = sent.id`.execute(trx);
  await deleteManifests(
    trx,
    workspaceId,
    rows.map(({ id }) => id),
  );
}

/** What was masked when the trace came stays counted. */
function sumCounts(before: MaskingCounts | null, added: MaskingCounts | null): MaskingCounts | null {
  if (!before || !added) return before ?? added;
  const sum: Record<string, number> = { ...before };
  for (const [type, count] of Object.entries(added)) sum[type] = (sum[type] ?? 0) + count;
  return sum;
}

async function setVersion(
  trx: Database,
  workspaceId: WorkspaceId,
  traces: readonly { id: string }[],
  version: number,
): Promise<void> {
  if (traces.length === 0) return;
  await sql`
    update traces set masking_version = ${version}
    where workspace_id = ${workspaceId} and id = any(${textList(traces.map(({ id }) => id))})`.execute(trx);
}

/** Computes again what is counted of traces whose texts changed, and tells readers. */
async function recount(
  trx: Database,
  workspaceId: WorkspaceId,
  before: readonly TraceToMask[],
  after: readonly MaskedRow[],
  version: number,
): Promise<void> {
  const ids = before.map(({ id }) => id);
  const runs = await refreshComputedColumns(trx, workspaceId, ids);
  await addTotals(trx, [{ workspaceId, change: noTotals(), maskedBy: [version] }]);
  await writeProblems(trx, workspaceId, runs, { isQuiet: true });
  const decided = before.filter(({ decisionPointCount }) => decisionPointCount > 0);
  await touchDays(trx, [{ workspaceId, days: new Set(decided.map(({ startedAt }) => dayOf(startedAt))) }]);
  await recordChanges(trx, [
    { workspaceId, traces: before.map(({ id, status }) => ({ id, change: "replaced", status })) },
  ]);
  const sessions = new Map(after.map(({ id, sessionId }) => [id, sessionId]));
  await refreshAgentSessions(
    trx,
    workspaceId,
    before.flatMap(({ id, sessionId }) => {
      const now = sessions.get(id) ?? null;
      return now === sessionId ? [] : [sessionId, now];
    }),
  );
}
