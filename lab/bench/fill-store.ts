import { execute } from "@whytrace/testing/postgres/databases.ts";
import pg from "pg";
import { dropIndexes } from "./drop-indexes.ts";
import { loadTenant } from "./load-tenants.ts";

const TABLES = ["traces", "spans", "decision_points", "events", "trace_payloads"] as const;

/**
 * Fills the large tenant up to this many traces. Generates the first `seedTraces`; then PostgreSQL copies them with other ids
 * and earlier times, which takes minutes instead of hours.
 */
export async function fillStore(databaseUrl: string, traces: number, seedTraces: number): Promise<void> {
  const { rows } = await execute(
    databaseUrl,
    `select coalesce(max(completed + running + error), 0)::integer as stored from trace_totals
     where workspace_id = (${BIG_TENANT_SQL})`,
  );
  const stored: number = rows[0].stored;
  if (stored === 0) await loadTenant(databaseUrl, seedTraces);
  const copies = Math.round(traces / seedTraces);
  const from = stored === 0 ? 1 : Math.round(stored / seedTraces);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    if (copies > from) {
      const rebuildIndexes = await dropIndexes(databaseUrl);
      await client.query("set synchronous_commit = off");
      for (let copy = from; copy < copies; copy += 1) await copySeed(client, copy);
      await client.query(`
        update trace_totals set ${COUNTS.map((count) => `${count} = ${count} * ${copies} / ${from}`).join(", ")}
        where workspace_id = (${BIG_TENANT_SQL})`);
      await client.query(`
        insert into agent_sessions (workspace_id, session_id, last_started_at)
        select workspace_id, session_id, max(started_at) from traces
        where workspace_id = (${BIG_TENANT_SQL}) and session_id is not null group by workspace_id, session_id
        on conflict (workspace_id, session_id) do update set last_started_at = excluded.last_started_at`);
      await rebuildIndexes();
    }
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

const BIG_TENANT_SQL =
  "select workspace_id from memberships join users on users.id = user_id where email = 'big@bench.test'";
const COUNTS = [
  "running",
  "completed",
  "error",
  "tool_selection",
  "routing",
  "retry",
  "escalation",
  "memory_retrieval",
  "planning",
  "custom",
];
/** The ids of copies end with `~` and the number of the copy. */
const CHANGED_COLUMNS: Readonly<Record<string, string>> = {
  id: "id || '~' || $1",
  trace_id: "trace_id || '~' || $1",
  session_id: "session_id || '~' || $1",
  started_at: "started_at - $1 * interval '1 minute'",
  created_at: "created_at - $1 * interval '1 minute'",
  timestamp: "timestamp - $1 * interval '1 minute'",
  total_cost: "total_cost * (1 + $1 * 0.0001)",
  total_duration: "total_duration * (1 + $1 * 0.0001)",
  cost_usd: "cost_usd * (1 + $1 * 0.0001)",
};

async function copySeed(client: pg.Client, copy: number): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await client.query(
      "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position",
      [table],
    );
    const names: string[] = rows.map(({ name }) => name);
    const isChild = table !== "traces";
    const selected = names.map((name) => (isChild && name === "id" ? name : (CHANGED_COLUMNS[name] ?? name)));
    const key = isChild ? "trace_id" : "id";
    await client.query(
      `insert into ${table} (${names.join(", ")}) select ${selected.join(", ").replaceAll("$1", String(copy))}
       from ${table} where workspace_id = (${BIG_TENANT_SQL}) and strpos(${key}, '~') = 0`,
    );
  }
  await client.query(
    `insert into trace_owners select trace_id || '~${copy}', workspace_id from trace_owners where workspace_id = (${BIG_TENANT_SQL}) and strpos(trace_id, '~') = 0`,
  );
}
