/*
 * A trace whose every part says which version of it was sent: its name, and the name or reasoning of each child. How
 * many children it has, its status and its decisions' types follow from the version, so that a trace pieced together
 * from two versions, or stored in part, shows.
 */
import { DECISION_POINT_TYPES, STATUSES } from "@whytrace/contract";
import { select } from "@whytrace/testing/trial.ts";

const AT = "2026-01-01T00:00:00.000Z";

const countsAt = (version: number) => ({
  spans: 1 + (version % 5),
  decisionPoints: version % 4,
  events: version % 3,
});
/** The same in SQL, of `version`. */
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

export interface ReadTrace {
  name: string;
  status: string;
  spans: { name: string }[];
  decisionPoints: { reasoning: string }[];
  events: { name: string }[];
}

/** Whether a trace as the service returns it is one version, all of it. */
export function isWhole(trace: ReadTrace): boolean {
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

/** The same of a row in a list, which shows its children as counts. */
export function isWholeRow({ name, _count }: { name: string; _count: Record<string, number> }): boolean {
  return Object.entries(countsAt(Number(name.slice(1)))).every(([kind, count]) => _count[kind] === count);
}

export interface StoredTrace {
  userId: string;
  id: string;
  version: number;
  isWhole: boolean;
}

/** Every trace in the tables, whoever owns it. */
export function readStored(databaseUrl: string): Promise<StoredTrace[]> {
  const labels = { spans: "name", decision_points: "reasoning", events: "name" };
  const checks = Object.entries(COUNTS_SQL).map(([table, count]) => {
    const label = labels[table === "spans" || table === "decision_points" ? table : "events"];
    const children = `from ${table} as child where child.user_id = trace.user_id and child.trace_id = trace.id`;
    return `(select count(*) ${children}) = ${count} and (select count(*) ${children} and child.${label} = trace.name) = ${count}`;
  });
  return select<StoredTrace & Record<string, unknown>>(
    databaseUrl,
    `select user_id as "userId", id, version, ${checks.join(" and ")} as "isWhole"
     from (select *, substr(name, 2)::integer as version from traces) as trace`,
  );
}

/** Children whose trace is not there, and ids whose owner has no such trace or the other way round. */
export async function countOrphans(databaseUrl: string): Promise<number> {
  const orphans = ["spans", "decision_points", "events"].map(
    (table) =>
      `select count(*) from ${table} where not exists (select from traces where user_id = ${table}.user_id and id = trace_id)`,
  );
  const [row] = await select<{ count: string }>(
    databaseUrl,
    `select sum(count) as count from (
       ${orphans.join(" union all ")} union all
       select count(*) from traces full join trace_owners as owner
         on owner.trace_id = traces.id and owner.user_id = traces.user_id
       where traces.id is null or owner.trace_id is null
     ) as found`,
  );
  return Number(row?.count);
}

/** Kept counts that differ from what counting finds, each in words. */
export async function findWrongTotals(databaseUrl: string): Promise<string[]> {
  const rows = await select<{ kind: string; kept: string | null; counted: string | null }>(
    databaseUrl,
    `with counted as (
       select user_id, lower(status) as kind, count(*) as counted from traces group by 1, 2
       union all
       select user_id, lower(type), count(*) from decision_points group by 1, 2
     ), kept as (
       select user_id, key as kind, value::bigint as kept from trace_totals as totals,
         jsonb_each_text(to_jsonb(totals) - array['user_id', 'deleted_on', 'deleted_count', 'version'])
     )
     select kind, kept, counted from kept full join counted using (user_id, kind)
     where coalesce(kept, 0) <> coalesce(counted, 0)`,
  );
  return rows.map(({ kind, kept, counted }) => `${kind}: kept ${kept}, counted ${counted}`);
}
