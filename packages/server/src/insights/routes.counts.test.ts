import type { DecisionMap, Scorecard, WhyList } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

const { client, db } = await boot();

const RUNS = 200;
const RANGE = "from=2026-03-01T00:00:00Z&to=2026-03-08T00:00:00Z";
const START_MS = Date.parse("2026-03-02T00:00:00.000Z");
const DAY_MS = 24 * 3_600_000;
const AGENTS = ["walker", "runner"] as const;
/** Two sets of options of one type, and a place whose options are only seen chosen. */
const PLACES = [
  { type: "TOOL_SELECTION", options: ["a", "b", "c"], isTold: true },
  { type: "TOOL_SELECTION", options: ["a", "b"], isTold: true },
  { type: "ROUTING", options: ["left", "right", "ahead"], isTold: true },
  { type: "MEMORY_RETRIEVAL", options: ["docs", "tickets"], isTold: false },
] as const;

/** Up to seven decisions below one span, an error between two of them or none, and any end. */
function randomRun(random: Random) {
  const startMs = START_MS + random.between(0, 5 * DAY_MS);
  const at = (ms: number) => new Date(startMs + ms).toISOString();
  const name = random.pick(AGENTS);
  const root = span({ name: `invoke_agent ${name}`, type: "AGENT", startedAt: at(0), endedAt: at(20_000) });
  const errorMs = random.chance(0.5) ? 500 + 1_000 * random.between(0, 7) : undefined;
  const failed = (ms: number) =>
    span({ parentSpanId: root.id, status: "ERROR", startedAt: at(ms), endedAt: at(ms + 100) });
  return trace({
    name,
    status: random.pick(["COMPLETED", "COMPLETED", "ERROR", "ERROR", "RUNNING"]),
    startedAt: at(0),
    spans: [root, ...(errorMs === undefined ? [] : [failed(errorMs)])],
    decisionPoints: Array.from({ length: random.between(0, 7) }, (_, index) => {
      const { type, options, isTold } = random.pick(PLACES);
      const chosen = random.pick(options);
      const alternatives = isTold ? options.filter((option) => option !== chosen) : [];
      return decision({
        type,
        chosen,
        alternatives,
        parentSpanId: root.id,
        timestamp: at(1_000 * (index + 1)),
      });
    }),
  });
}

let user: Sender;
const get = async <T>(path: string): Promise<T> =>
  expectStatus(await user.get(`/api/insights/${path}`), 200).json;
beforeAll(async () => {
  user = await newSender(client, db);
  const random = new Random(7);
  // Another workspace has runs of agents with the same names.
  const other = await newSender(client, db);
  for (const sender of [user, other]) {
    const runs = Array.from({ length: RUNS }, () => randomRun(random));
    expectStatus(await sender.send(runs), 200);
  }
});

/**
 * Decisions with the place at which they were made, named by its type and options: the options that the program told, else those that were
 * seen below the same span. What failed is told by the end of the run, and by whether an error came later.
 */
const decided = (agent: string) => sql`
  decided as (
    select point.trace_id, point.timestamp, point.choice, trace.status,
      point.type || ' ' || case when json_array_length(point.alternatives) > 0
        then (select string_agg(option, ',' order by option collate "C") from (
          select json_array_elements_text(point.alternatives) as option union select point.choice) as options)
        else (select string_agg(distinct seen.choice, ',' order by seen.choice) from decision_points as seen
          join traces as of on of.workspace_id = seen.workspace_id and of.id = seen.trace_id
          where seen.workspace_id = ${user.workspaceId} and of.name = ${agent} and seen.type = point.type
            and json_array_length(seen.alternatives) = 0) end as place,
      exists (select from spans as span where span.workspace_id = ${user.workspaceId} and span.trace_id = trace.id
        and span.status = 'ERROR' and span.started_at > point.timestamp) as is_error_after
    from decision_points as point
    join traces as trace on trace.workspace_id = point.workspace_id and trace.id = point.trace_id
    where point.workspace_id = ${user.workspaceId} and trace.name = ${agent})`;

const placeOf = (type: string, options: readonly string[]) => `${type} ${[...options].sort().join()}`;
const byName = <Row extends { name: string }>(rows: Row[]) =>
  rows.sort((one, other) => one.name.localeCompare(other.name));

describe.each(AGENTS)("of %s, as plain SQL counts them over the stored traces", (agent) => {
  const nameOfPlace = new Map<string, string>();
  let list: WhyList;
  beforeAll(async () => {
    list = await get<WhyList>(`decisions?agent=${agent}&${RANGE}`);
    for (const { signature, type, options, neverChosen } of list.rows)
      nameOfPlace.set(signature, placeOf(type, [...options.map(({ name }) => name), ...neverChosen]));
  });

  it("has runs with and without decisions, and those that failed", async () => {
    const { rows } = await sql`
      select count(*) filter (where decides) as runs, count(*) filter (where decides and status = 'ERROR') as failed_runs,
        count(*) filter (where not decides) as runs_without_decisions,
        count(*) filter (where not decides and status = 'ERROR') as failed_without_decisions
      from (
        select status, exists (select from decision_points as point
          where point.workspace_id = ${user.workspaceId} and point.trace_id = traces.id) as decides
        from traces where workspace_id = ${user.workspaceId} and name = ${agent}) as counted`.execute(db);
    expect(list).toMatchObject(rows[0] ?? {});
  });

  it("has decisions by option, what followed them, and how often each was offered", async () => {
    const { rows } = await sql<{ place: string; name: string }>`
      with ${decided(agent)}, ended as (select * from decided where status <> 'RUNNING')
      select place, choice as name, count(*) as decisions,
        count(*) filter (where is_error_after and status = 'ERROR') as failed,
        count(*) filter (where is_error_after and status = 'COMPLETED') as recovered,
        count(distinct trace_id) as runs,
        count(distinct trace_id) filter (where is_error_after and status = 'ERROR') as failed_runs,
        count(distinct trace_id) filter (where is_error_after and status = 'COMPLETED') as recovered_runs,
        (select count(*) from decided as open
          where open.status = 'RUNNING' and open.place = ended.place and open.choice = ended.choice) as open,
        (select count(*) from ended as offered where offered.place = ended.place) as offered
      from ended group by place, choice`.execute(db);
    const counted: object[] = [];
    for (const { signature } of list.rows) {
      const place = nameOfPlace.get(signature) ?? "";
      const card = await get<Scorecard>(`decisions/${signature}?agent=${agent}&${RANGE}`);
      for (const { name, rate, open, offered } of card.options) {
        const { low: _, high: __, ...counts } = rate;
        counted.push({ place, name, ...counts, open, offered });
      }
    }
    expect(rows.length).toBe(10);
    expect(sorted(counted)).toEqual(sorted(rows));
  });

  it("has a map of how often each option came, after which one, and where runs ended", async () => {
    const map = await get<DecisionMap>(`map?agent=${agent}&${RANGE}`);
    const steps = sql`
      ${decided(agent)}, steps as (
        select trace_id, status, place || ' ' || choice as name,
          coalesce(lag(place || ' ' || choice) over run, 'Start') as from_name,
          lead(trace_id) over run is null as is_last
        from decided where status <> 'RUNNING' window run as (partition by trace_id order by timestamp))`;
    const { rows: nodes } = await sql<{ name: string }>`
      with ${steps}
      select name, count(*) as times, count(*) filter (where status = 'ERROR') as failed_times,
        count(distinct trace_id) as runs, count(distinct trace_id) filter (where status = 'ERROR') as failed_runs,
        count(*) filter (where is_last and status = 'COMPLETED') as fine,
        count(*) filter (where is_last and status = 'ERROR') as failed
      from steps group by name`.execute(db);
    const { rows: edges } = await sql<object>`
      with ${steps}
      select from_name as "from", name as "to", count(*) as times, count(*) filter (where status = 'ERROR') as failed_times,
        count(distinct trace_id) as runs, count(distinct trace_id) filter (where status = 'ERROR') as failed_runs
      from steps group by from_name, name`.execute(db);
    const names = new Map(
      map.nodes.map(({ step, signature, name }) => [
        step,
        signature === null ? name : `${nameOfPlace.get(signature)} ${name}`,
      ]),
    );
    const mapped = map.nodes
      .filter(({ signature }) => signature !== null)
      .map(({ step, times, failedTimes, runs, failedRuns, ended: { fine, failed } }) => {
        return { name: names.get(step) ?? "", times, failedTimes, runs, failedRuns, fine, failed };
      });
    expect(byName(mapped)).toEqual(byName(nodes));
    const paths = map.edges.map(({ from, to, times, failedTimes, runs, failedRuns }) => {
      return { from: names.get(from), to: names.get(to), times, failedTimes, runs, failedRuns };
    });
    expect(sorted(paths)).toEqual(sorted(edges));
    expect(paths.length).toBeGreaterThan(50);
  });
});

const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
