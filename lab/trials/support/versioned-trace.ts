/*
 * A trace that contains its version in its own name and in every child. The version also determines the status, the
 * number of children and the types of decisions, so that a check detects a partial trace or a mix of two versions.
 */
import { DECISION_POINT_TYPES, STATUSES } from "@whytrace/contract";
import { select } from "@whytrace/testing/trial.ts";

const AT = "2026-01-01T00:00:00.000Z";

const countsAt = (version: number) => ({
  spans: 1 + (version % 5),
  decisionPoints: version % 4,
  events: version % 3,
});
/** The same counts as SQL expressions. */
const COUNTS_SQL = { spans: "1 + version % 5", decision_points: "version % 4", events: "version % 3" };

const cyclic = <T>(items: readonly T[], index: number) => items[index % items.length];
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

export function traceAt(id: string, version: number) {
  const counts = countsAt(version);
  const name = `v${version}`;
  return {
    id,
    name,
    status: cyclic(STATUSES, version),
    tags: ["trial"],
    metadata: { version },
    startedAt: AT,
    spans: times(counts.spans, (i) => ({
      id: `span-${i}`,
      parentSpanId: i > 0 ? "span-0" : null,
      name,
      type: "LLM_CALL",
      status: "COMPLETED",
      startedAt: AT,
      input: { text: "x".repeat(200) },
    })),
    decisionPoints: times(counts.decisionPoints, (i) => ({
      id: `decision-${i}`,
      type: cyclic(DECISION_POINT_TYPES, version + i),
      reasoning: name,
      chosen: name,
      alternatives: [],
      timestamp: AT,
    })),
    events: times(counts.events, (i) => ({ id: `event-${i}`, type: "CUSTOM", name, timestamp: AT })),
  };
}

interface ReadTrace {
  name: string;
  status: string;
  spans: { name: string }[];
  decisionPoints: { reasoning: string }[];
  events: { name: string }[];
}

/** Whether a trace from the API is one complete version. */
export function isComplete(trace: ReadTrace): boolean {
  const version = Number(trace.name.slice(1));
  const counts = countsAt(version);
  const labels = [
    ...trace.spans.map((span) => span.name),
    ...trace.decisionPoints.map((decision) => decision.reasoning),
    ...trace.events.map((event) => event.name),
  ];
  return (
    trace.status === cyclic(STATUSES, version) &&
    trace.spans.length === counts.spans &&
    trace.decisionPoints.length === counts.decisionPoints &&
    trace.events.length === counts.events &&
    labels.every((label) => label === trace.name)
  );
}

/** Whether a row of the list, which contains only the counts of children, is one complete version. */
export function isCompleteRow({ name, _count }: { name: string; _count: Record<string, number> }): boolean {
  return Object.entries(countsAt(Number(name.slice(1)))).every(([kind, count]) => _count[kind] === count);
}

interface StoredVersion {
  workspaceId: string;
  id: string;
  version: number;
  isComplete: boolean;
}

/** Reads every versioned trace of all users from the tables. */
export function readStored(databaseUrl: string): Promise<StoredVersion[]> {
  const labels = { spans: "name", decision_points: "reasoning", events: "name" };
  const checks = Object.entries(COUNTS_SQL).map(([table, count]) => {
    const label = labels[table === "spans" || table === "decision_points" ? table : "events"];
    const children = `from ${table} as child where child.workspace_id = trace.workspace_id and child.trace_id = trace.id`;
    return `(select count(*) ${children}) = ${count} and (select count(*) ${children} and child.${label} = trace.name) = ${count}`;
  });
  return select<StoredVersion & Record<string, unknown>>(
    databaseUrl,
    `select workspace_id as "workspaceId", id, version, ${checks.join(" and ")} as "isComplete"
     from (select *, substr(name, 2)::integer as version from traces where name ~ '^v[0-9]+$') as trace`,
  );
}

/** Counts children without a trace, and trace owners without a trace or the reverse. */
export async function countOrphans(databaseUrl: string): Promise<number> {
  const orphans = ["spans", "decision_points", "events", "trace_payloads"].map(
    (table) =>
      `select count(*) from ${table} where not exists (select from traces where workspace_id = ${table}.workspace_id and id = trace_id)`,
  );
  const [row] = await select<{ count: string }>(
    databaseUrl,
    `select sum(count) as count from (
       ${orphans.join(" union all ")} union all
       select count(*) from traces full join trace_owners as owner
         on owner.trace_id = traces.id and owner.workspace_id = traces.workspace_id
       where traces.id is null or owner.trace_id is null
     ) as found`,
  );
  return Number(row?.count);
}

/** Describes every stored total that differs from the actual count. */
export async function findWrongTotals(databaseUrl: string): Promise<string[]> {
  const rows = await select<{ kind: string; stored: string | null; counted: string | null }>(
    databaseUrl,
    `with counted as (
       select workspace_id, lower(status) as kind, count(*) as counted from traces group by 1, 2
       union all
       select workspace_id, lower(type), count(*) from decision_points group by 1, 2
     ), stored as (
       select workspace_id, key as kind, value::bigint as stored from trace_totals as totals,
         jsonb_each_text(to_jsonb(totals) - array['workspace_id', 'deleted_on', 'deleted_count'])
       where key not like '%version'
     )
     select kind, stored, counted from stored full join counted using (workspace_id, kind)
     where coalesce(stored, 0) <> coalesce(counted, 0)`,
  );
  return rows.map(({ kind, stored, counted }) => `${kind}: stored ${stored}, counted ${counted}`);
}
