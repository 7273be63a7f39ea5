import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ParsedTrace } from "@whytrace/contract";
import type { ColumnTypes, TextRows } from "./copy-text.ts";
import { encodeBatch } from "./encode-batch.ts";
import { senderId } from "./ingest-tenants.ts";

/** Placeholders in the scripts for the values that pgbench varies per transaction. */
const TRACE = "trace-of-pgbench";
const USER = senderId(0);

/**
 * Measures PostgreSQL alone with one commit per trace: one pgbench script of multi-row inserts for each given trace, sent
 * in one round trip. Each client picks random scripts and generates a new id for every trace.
 */
export async function prepareBareCommits(
  databaseUrl: string,
  traces: ParsedTrace[],
  types: ColumnTypes,
  { clients, transactions }: { clients: number; transactions: number },
) {
  const folder = await mkdtemp(join(tmpdir(), "whytrace-bench-"));
  const files: string[] = [];
  for (const [index, trace] of traces.entries()) {
    const path = join(folder, `${index}.sql`);
    await writeFile(path, writeScript(trace, types));
    files.push(`--file=${path}`);
  }
  return {
    async run() {
      const options = [
        "--no-vacuum",
        `--client=${clients}`,
        "--jobs=2",
        `--transactions=${transactions / clients}`,
      ];
      const pgbench = spawn("pgbench", [...options, ...files, databaseUrl], {
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

function writeScript(trace: ParsedTrace, types: ColumnTypes): string {
  const tenant = { userId: USER, email: "", tier: "PRO" as const, traceCount: 0 };
  const tables = encodeBatch({ tenant, traces: [{ ...trace, id: TRACE }] }, types);
  const statements = ["begin", ...tables.map((table) => writeInsert(table, types)), "commit"];
  return [
    "\\set bench_user 10 + :client_id",
    "\\set bench_trace random(1, 9000000000000000)",
    `${statements.join(" \\;\n")};\n`,
  ].join("\n");
}

/** Inserts the ids once per statement instead of once per row, because each substitution costs pgbench time. */
function writeInsert({ table, columns, rows }: TextRows, types: ColumnTypes): string {
  const constants: Readonly<Record<string, string>> = {
    user_id: `'${USER.slice(0, -2)}:bench_user'::uuid`,
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
