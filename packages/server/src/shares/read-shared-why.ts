import {
  type DecisionPointType,
  hash32,
  optionKey,
  type SharedSuspect,
  type SharedWhy,
  signDecision,
} from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { textList } from "../db/statements/text-list.ts";
import { optionWithoutPayload } from "../traces/option-without-payload.ts";
import type { StoredSuspect, StoredWhy } from "./explain-shared-run.ts";
import { readersOf } from "./readers-of.ts";
import type { GrantedShare } from "./require-share.ts";

/** `signDecision` does not read longer values; they need not be sent either. */
const MAX_OPTION_BYTES = 32 * 1024;

interface NamedDecision {
  id: string;
  type: DecisionPointType;
  place: string | null;
  chosen: string | null;
}

/**
 * What explains a shared run: what is stored with the link, and the texts of the few decisions that it names. Nothing is computed. Undefined
 * if the trace is not stored any more.
 */
export async function readSharedWhy(
  { db, reads }: { db: Database; reads: FairDatabase },
  share: GrantedShare,
): Promise<SharedWhy | undefined> {
  const { id, workspaceId, hasPayloads } = share;
  const { rows } = await sql<{ why: StoredWhy; computedAt: string }>`
    select why, created_at as computed_at from trace_shares
    where workspace_id = ${workspaceId} and id = ${id} and why is not null`.execute(db);
  const [stored] = rows;
  if (!stored) return undefined;
  const { ending, badRuns, suspects } = stored.why;
  const ids = suspects.flatMap(({ decisionPointId }) => decisionPointId ?? []);
  const decisions = await readDecisions(reads, share, ids);
  if (!decisions) return undefined;
  const named = suspects.flatMap((suspect) => nameSuspect(suspect, decisions, hasPayloads) ?? []);
  return {
    computedAt: stored.computedAt,
    ending,
    badRuns,
    suspects: named,
    isChanged: named.length < suspects.length,
  };
}

/** By their ids; undefined if the trace is not stored any more. */
async function readDecisions(
  reads: FairDatabase,
  share: GrantedShare,
  ids: string[],
): Promise<Map<string, NamedDecision> | undefined> {
  const { workspaceId, traceId, storedAt } = share;
  const { rows } = await reads.run(
    workspaceId,
    (db) =>
      sql<NamedDecision | { id: null }>`
        select decision.* from traces left join lateral (
          select id, type, (
              select name from spans
              where spans.workspace_id = ${workspaceId} and spans.trace_id = ${traceId} and spans.id = decided.parent_span_id
            ) as place, left(chosen::text, ${MAX_OPTION_BYTES + 1}) as chosen
          from decision_points as decided
          where decided.workspace_id = ${workspaceId} and decided.trace_id = ${traceId} and decided.id = any(${textList(ids)})
        ) as decision on true
        where traces.workspace_id = ${workspaceId} and traces.id = ${traceId} and traces.created_at = ${storedAt}::timestamptz`.execute(
        db,
      ),
    { caller: readersOf(share) },
  );
  if (rows.length === 0) return undefined;
  return new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row]])));
}

/** Undefined if its decision is gone, or chose something else since. */
function nameSuspect(
  { optionHash, ...suspect }: StoredSuspect,
  decisions: ReadonlyMap<string, NamedDecision>,
  hasPayloads: boolean,
): SharedSuspect | undefined {
  // Its name is known from other runs only.
  if (suspect.decisionPointId === null) return { ...suspect, option: "", place: null };
  const decision = decisions.get(suspect.decisionPointId);
  if (!decision) return undefined;
  const chosen = Buffer.from(decision.chosen ?? "null");
  const { option } = signDecision({ type: decision.type, chosen, alternatives: [] });
  if (hash32(option) !== optionHash) return undefined;
  return { ...suspect, option: hasPayloads ? option : nameOf(chosen, option), place: decision.place };
}

/** What a link without payloads may say. A value that is too long is called "(long)" everywhere, and is not whole here. */
const nameOf = (chosen: Buffer, option: string) =>
  chosen.length > MAX_OPTION_BYTES ? option : optionKey(JSON.parse(optionWithoutPayload(chosen).toString()));
