import { requireKeys } from "../../api-keys/revoke-api-key.ts";
import { type CrossedThreshold, countUsage } from "../../billing/usage.ts";
import type { Database } from "../../db/database.ts";
import { directoryAfter } from "../../db/statements/directory-after.ts";
import { joinedOrApart } from "../../db/statements/joined-or-apart.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type RecordedChange, recordChanges } from "../../live/record-changes.ts";
import type { LockedTrace } from "../batch/claim-ids.ts";
import type { TraceSummary } from "../batch/workspace-batch.ts";
import type { CountChanges } from "./count-changes.ts";
import { touchDays } from "./decision-days.ts";
import { addTotals } from "./totals.ts";
import { addAgentSessions, refreshAgentSessions } from "./track-agent-sessions.ts";

/** What a transaction stores for one workspace. */
export interface StoredBatch {
  workspaceId: WorkspaceId;
  requests: { keyId: string | undefined; maskingVersion: number | undefined; traces: TraceSummary[] }[];
  /** The traces that existed before, by id. */
  existing: ReadonlyMap<string, LockedTrace>;
  counts: CountChanges;
}

/** Sends the last statements together, in this order. Returns the thresholds of plans that requests crossed. */
export async function updateCounters(trx: Database, batches: StoredBatch[]): Promise<CrossedThreshold[]> {
  const changes = batches
    .map(({ workspaceId, requests, existing, counts }) => ({
      workspaceId,
      requests,
      existing,
      change: counts.totals,
      maskedBy: requests.flatMap(({ maskingVersion }) => maskingVersion ?? []),
      decisionDays: counts.decisionDays,
      stored: requests.flatMap(({ traces }) => traces),
    }))
    .filter(({ stored }) => stored.length > 0);
  if (changes.length === 0) return [];
  // Replacing a trace uses up nothing of the plan, so the plan of a request that only replaces is not locked.
  const usage = changes
    .map(({ workspaceId, requests, existing }) => ({
      workspaceId,
      newTraces: requests
        .map(({ traces }) => traces.filter(({ id }) => !existing.has(id)).length)
        .filter((count) => count > 0),
    }))
    .filter(({ newTraces }) => newTraces.length > 0);
  const usageCounted = countUsage(trx, usage);
  const totalsAdded = addTotals(trx, changes);
  const keyIds = changes.flatMap(({ requests }) => requests.flatMap(({ keyId }) => keyId ?? []));
  // Both locks are held then, for which the revocation of a key waits.
  const keysChecked = directoryAfter(trx, [usageCounted, totalsAdded], (directory) =>
    requireKeys(directory, new Set(keyIds)),
  );
  const recordVersions = async (versions?: ReadonlyMap<string, number>) => {
    const days = changes.map(({ workspaceId, decisionDays }) => ({
      workspaceId,
      days: decisionDays,
      version: versions?.get(workspaceId),
    }));
    const recorded: RecordedChange[] = changes.map(({ workspaceId, stored, existing }) => ({
      workspaceId,
      version: versions?.get(workspaceId),
      traces: stored.map(({ id, status }) => ({
        id,
        change: existing.has(id) ? "replaced" : "new",
        status,
      })),
    }));
    await Promise.all([touchDays(trx, days), recordChanges(trx, recorded)]);
  };
  const [crossed] = await Promise.all([
    // A deleted account has no subscription either. As before the body was read, the key is the first thing to be checked.
    usageCounted.catch(async (error: unknown) => {
      await keysChecked;
      throw error;
    }),
    keysChecked,
    totalsAdded,
    joinedOrApart(trx, { joined: recordVersions, apart: () => totalsAdded.then(recordVersions) }),
    addAgentSessions(
      trx,
      changes.map(({ workspaceId, stored, existing }) => ({
        workspaceId,
        traces: stored.filter(({ id }) => !existing.has(id)),
      })),
    ),
    ...changes.map((change) => refreshAgentSessions(trx, change.workspaceId, movedAgentSessions(change))),
  ]);
  return crossed;
}

/** The agent sessions that a replaced trace left or joined, or in which its start changed. Usually there are none. */
function movedAgentSessions({
  stored,
  existing,
}: {
  stored: TraceSummary[];
  existing: StoredBatch["existing"];
}): (string | null)[] {
  return stored.flatMap(({ id, sessionId, startedAt }) => {
    const before = existing.get(id);
    const isSame = before?.sessionId === sessionId && Date.parse(before.startedAt) === startedAt;
    return before && !isSame ? [before.sessionId, sessionId] : [];
  });
}
