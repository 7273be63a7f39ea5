import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ParsedTrace } from "@whytrace/contract";
import { asWorkspaceId } from "../../packages/server/src/db/workspace-id.ts";
import type { ColumnTypes, TextRows } from "./copy-text.ts";
import { senderId } from "./ingest-tenants.ts";
import { type Packing, writeTextRows } from "./text-rows.ts";

/** Placeholders in the script for the values that pgbench varies per transaction. */
const TRACE = "trace-of-pgbench";
const USER = senderId(0);

interface CommitLoad {
  clients: number;
  transactions: number;
  packing: Packing;
}

/**
 * Measures PostgreSQL alone with one commit per trace: pgbench sends the multi-row inserts of a trace in one round trip.
 * The clients take the given traces in turn, each as often as the others, and generate a new id for every one.
 */
export async function prepareBareCommits(
  databaseUrl: string,
  traces: ParsedTrace[],
  types: ColumnTypes,
  { clients, transactions, packing }: CommitLoad,
) {
  const folder = await mkdtemp(join(tmpdir(), "whytrace-bench-"));
  const path = join(folder, "commits.sql");
  await writeFile(path, await writeScript(traces, packing, types));
  return {
    async run() {
      const options = [
        "--no-vacuum",
        `--client=${clients}`,
        "--jobs=2",
        `--transactions=${transactions / clients}`,
        `--define=bench_clients=${clients}`,
        "--define=bench_turn=-1",
        `--file=${path}`,
      ];
      const pgbench = spawn("pgbench", [...options, databaseUrl], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let errors = "";
      pgbench.stderr.on("data", (part) => {
        errors += part;
      });
      const [status] = await once(pgbench, "exit");
      if (status !== 0) throw new Error(`pgbench exited with ${status}: ${errors}`);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** One branch per trace; a client's variables keep their values from one transaction to the next. */
async function writeScript(traces: ParsedTrace[], packing: Packing, types: ColumnTypes): Promise<string> {
  const lines = [
    "\\set bench_user 10 + :client_id",
    "\\set bench_trace random(1, 9000000000000000)",
    "\\set bench_turn :bench_turn + 1",
    `\\set bench_number (:client_id + :bench_clients * :bench_turn) % ${traces.length}`,
  ];
  for (const [number, trace] of traces.entries())
    lines.push(
      `${number === 0 ? "\\if" : "\\elif"} :bench_number = ${number}`,
      await writeTransaction(trace, packing, types),
    );
  return [...lines, "\\endif", ""].join("\n");
}

async function writeTransaction(trace: ParsedTrace, packing: Packing, types: ColumnTypes): Promise<string> {
  const tenant = { workspaceId: asWorkspaceId(USER), email: "", tier: "PRO" as const, traceCount: 0 };
  const tables = await writeTextRows({ tenant, traces: [{ ...trace, id: TRACE }] }, packing, types);
  return `${["begin", ...tables.map((table) => writeInsert(table, types)), "commit"].join(" \\;\n")};`;
}

/** Inserts the ids once per statement instead of once per row, because each substitution costs pgbench time. */
function writeInsert({ table, columns, rows }: TextRows, types: ColumnTypes): string {
  const constants: Readonly<Record<string, string>> = {
    workspace_id: `'${USER.slice(0, -2)}:bench_user'::uuid`,
    trace_id: "'bench-:bench_trace'",
    ...(table === "traces" && { id: "'bench-:bench_trace'" }),
  };
  const varying = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => !constants[column]);
  const quoted = (text: string | null) =>
    // A line break would end the pgbench command, and pgbench would substitute `:name`.
    text === null ? "null" : `E'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`;
  const values = rows.map((row) => `(${varying.map(({ index }) => quoted(row[index] ?? null)).join(",")})`);
  const selected = columns.map(
    (column) => constants[column] ?? `sent.${column}::${types.get(`${table}.${column}`)}`,
  );
  return varying.length === 0
    ? `insert into ${table} (${columns.join(",")}) values (${selected.join(",")})`
    : `insert into ${table} (${columns.join(",")}) select ${selected.join(",")} from (values ${values.join(",")}) as sent (${varying.map(({ column }) => column).join(",")})`;
}
