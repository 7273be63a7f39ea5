import type { PathRelease } from "@whytrace/contract";
import type { MapPath } from "@whytrace/contract/schemas/insights/decision-map";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type ReleasedTrace, releaseOf } from "../../decision-facts/release.ts";
import { RELEASE } from "../../traces/decision-conditions.ts";
import { filterConditions } from "../../traces/trace-filter.ts";
import type { DayRange } from "../days/read-days.ts";
import { NO_STEP } from "../days/tally.ts";
import { readNewestFacts } from "../read-newest-facts.ts";
import { startedIn } from "../started-in.ts";
import { wilsonInterval } from "../statistics/hypothesis-tests/wilson-interval.ts";

const MAX_RELEASES = 8;
/** The newest traces of which the time between two choices is read. */
const MAX_TIMED_TRACES = 200;
const MAX_TIMED_PAIRS = 5_000;

/** A choice, and the one right before it if a path is meant. */
interface PathQuery {
  agent: string | undefined;
  step: number;
  after: number | undefined;
  range: DayRange;
}

/** What the figures of days do not tell of a choice or a path: transitions are not counted by release, and have no times. */
export async function mapPath(
  db: Database,
  workspaceId: WorkspaceId,
  query: PathQuery,
): Promise<Pick<MapPath, "releases" | "betweenMs">> {
  return {
    releases: await countReleases(db, workspaceId, query),
    betweenMs: await timeBetween(db, workspaceId, query),
  };
}

async function countReleases(
  db: Database,
  workspaceId: WorkspaceId,
  { range, ...filter }: PathQuery,
): Promise<PathRelease[]> {
  const conditions = [startedIn(range), ...filterConditions(workspaceId, filter)];
  const { rows } = await sql<{ sample: string; runs: number; failedRuns: number }>`
    select min(id) as sample, count(*) as runs, count(*) filter (where outcome = 1) as "failedRuns"
    from traces where workspace_id = ${workspaceId} and ${sql.join(conditions, sql` and `)}
    group by ${RELEASE} order by min(started_at) desc`.execute(db.withoutPlugins());
  const most = rows.toSorted((one, other) => other.runs - one.runs).slice(0, MAX_RELEASES);
  const listed = rows.filter((row) => most.includes(row));
  const names = await readReleaseNames(
    db,
    workspaceId,
    listed.map(({ sample }) => sample),
  );
  return listed.map(({ sample, runs, failedRuns }) => {
    const { low, high } = wilsonInterval(failedRuns, runs);
    return { name: names.get(sample) ?? null, runs, failedRuns, low, high };
  });
}

/** By trace. */
async function readReleaseNames(db: Database, workspaceId: WorkspaceId, ids: string[]) {
  const { rows } = await sql<ReleasedTrace & { id: string }>`
    select id, tags, service_version from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)})`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, releaseOf(row)]));
}

async function timeBetween(
  db: Database,
  workspaceId: WorkspaceId,
  { range, ...filter }: PathQuery,
): Promise<number | null> {
  const { step, after } = filter;
  if (after === undefined || after === NO_STEP) return null;
  const found = await readNewestFacts(db, workspaceId, filter, range, MAX_TIMED_TRACES);
  const pairs: { traceId: string; before: number; position: number }[] = [];
  for (const { id: traceId, decisions } of found) {
    let before: (typeof decisions)[number] | undefined;
    for (const decision of decisions) {
      if (pairs.length === MAX_TIMED_PAIRS) break;
      if (decision.step === step && before?.step === after)
        pairs.push({ traceId, before: before.position, position: decision.position });
      before = decision;
    }
  }
  const { rows } = await sql<{ ms: number | null }>`
    select percentile_cont(0.5) within group (
      order by extract(epoch from decision.timestamp - earlier.timestamp) * 1000) as ms
    from json_to_recordset(${JSON.stringify(pairs)}::json) as pair ("traceId" text, before integer, position integer)
      join decision_points as decision on decision.workspace_id = ${workspaceId}
        and decision.trace_id = pair."traceId" collate "C" and decision.position = pair.position
      join decision_points as earlier on earlier.workspace_id = ${workspaceId}
        and earlier.trace_id = pair."traceId" collate "C" and earlier.position = pair.before`.execute(
    db.withoutPlugins(),
  );
  return rows[0]?.ms ?? null;
}
