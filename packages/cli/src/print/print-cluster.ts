import type { Cluster } from "@whytrace/server";
import { formatAlignedTable } from "./aligned-table.ts";
import { formatBytes, formatCount, formatMs } from "./format.ts";
import type { Output } from "./output.ts";

const SHOWN_SHARDS = 10;

export function printCluster({ nodes, shards, inDoubt }: Cluster, output: Output): void {
  const print = (titles: string[], rows: string[][]) => {
    const [header = "", ...lines] = formatAlignedTable(titles, rows);
    output.line(output.paint("dim", header));
    for (const line of lines) output.line(line);
  };
  const orDash = (count: number | null, format: (count: number) => string) =>
    count === null ? "-" : format(count);
  print(
    ["NODE", "ROLE", "STATE", " SIZE", " SHARDS", " CONNECTIONS"],
    nodes.map(({ name, role, state, bytes, shards: count, connections }) => [
      name,
      role,
      state,
      orDash(bytes, formatBytes),
      role === "coordinator" ? "-" : String(count),
      orDash(connections, String),
    ]),
  );
  output.line();
  print(
    ["SHARD", "NODE", " SIZE", " TENANTS"],
    shards
      .slice(0, SHOWN_SHARDS)
      .map(({ id, node, bytes, tenants }) => [String(id), node, orDash(bytes, formatBytes), String(tenants)]),
  );
  const rest = shards.slice(SHOWN_SHARDS);
  if (rest.length > 0)
    output.line(
      `and ${rest.length} smaller: ${formatBytes(rest.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0))}, ` +
        formatCount(
          rest.reduce((sum, { tenants }) => sum + tenants, 0),
          "tenant",
        ),
    );
  output.line();
  if (inDoubt.length === 0) output.line("No transaction is in doubt");
  else
    print(
      ["IN DOUBT", "NODE", " AGE"],
      inDoubt.map(({ id, node, ageSeconds }) => [id, node, formatMs(1_000 * ageSeconds)]),
    );
}
