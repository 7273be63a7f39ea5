import { sql } from "kysely";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../../db/database.ts";
import { unlessReadOnly } from "../../../db/unless-read-only.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { readTotals } from "../../../trace-store/counts/totals.ts";
import {
  deleteFindings,
  type FindingsKey,
  readGeneration,
  storeFindings,
} from "../../../trace-store/counts/why-findings.ts";
import { type ComputedFindings, computeFindings } from "../compute-findings.ts";
import type { ListedSince } from "../findings-body.ts";
import { readCountedRange } from "../read-counted-range.ts";
import { countRecordedRuns, digestRecordedRuns, readRecordedRuns } from "../read-recorded-runs.ts";
import { readSituationKeys } from "../situation/situation-keys.ts";
import { LENSES, windowRange } from "./finding-windows.ts";
import type { FindingsConnections } from "./findings-connections.ts";

/** If findings are outdated as often as this while they are computed, the next look computes them. */
const MAX_ATTEMPTS = 3;

/** Computes a watched list again and stores it. Without runs it is deleted, and undefined is returned. */
export async function refreshFindings(
  connections: FindingsConnections,
  workspaceId: WorkspaceId,
  key: FindingsKey,
  options: { isWorker: boolean },
): Promise<ComputedFindings | undefined> {
  for (let attempts = 1; ; attempts += 1) {
    const { computed, isOutdated } = await computeAndStore(connections, workspaceId, key, options);
    if (!isOutdated || attempts === MAX_ATTEMPTS) return computed;
  }
}

/** What was computed, and whether it was outdated meanwhile and not stored. */
interface Refreshed {
  computed: ComputedFindings | undefined;
  isOutdated: boolean;
}

async function computeAndStore(
  connections: FindingsConnections,
  workspaceId: WorkspaceId,
  key: FindingsKey,
  { isWorker }: { isWorker: boolean },
): Promise<Refreshed> {
  const { agentHash } = key;
  const lens = LENSES[key.lens] ?? "failed";
  const { version, generation, recorded, digest, listed } = await connections.snapshot(
    workspaceId,
    async (db) => {
      const totals = await readTotals(db, workspaceId);
      const situationKeys = await readSituationKeys(db, workspaceId, agentHash);
      const range = await readCountedRange(db, workspaceId, {
        agentHash,
        lens,
        range: windowRange(key.windowDays),
      });
      const window = { agentHash, range };
      return {
        version: totals.version,
        generation: await readGeneration(db, workspaceId),
        recorded: {
          ...(await readRecordedRuns(db, workspaceId, window, situationKeys)),
          runCount: await countRecordedRuns(db, workspaceId, window),
        },
        digest: await digestRecordedRuns(db, workspaceId, window),
        listed: await readListed(db, workspaceId, key),
      };
    },
  );
  if (recorded.runCount === 0) {
    await connections.run(workspaceId, (db) => unlessReadOnly(deleteFindings(db, workspaceId, key)));
    return { computed: undefined, isOutdated: false };
  }
  const day = new Date().toISOString().slice(0, "YYYY-MM-DD".length);
  const computed = await runInTimeSlices(computeFindings(recorded, lens, { listed, day }));
  const isStored = await connections.run(workspaceId, (db) =>
    unlessReadOnly(
      storeFindings(db, workspaceId, {
        ...key,
        version,
        generation,
        isForRequest: !isWorker,
        digest,
        ...computed,
      }),
    ),
  );
  return { computed, isOutdated: isStored === false };
}

async function readListed(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, lens, windowDays }: FindingsKey,
): Promise<readonly ListedSince[]> {
  const { rows } = await sql<{ since: ListedSince[] }>`
    select since from why_findings
    where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and lens = ${lens} and window_days = ${windowDays}`.execute(
    db,
  );
  return rows[0]?.since ?? [];
}
