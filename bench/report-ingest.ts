import { cpus } from "node:os";
import { median } from "./percentile.ts";
import { writeTable } from "./write-table.ts";

export interface IngestLeg {
  way: "service" | "bare";
  tracesPerSecond: number;
  /** A trace each. */
  nodeCpuMs: number;
  postgresCpuMs: number;
  /** Owners, traces, spans, decision points and events that arrived. */
  rows: number[];
}

export interface IngestTerms {
  traces: number;
  rounds: number;
  batch: number;
  clients: number;
  tenants: number;
}

export function reportIngest(
  legs: IngestLeg[],
  { traces, rounds, batch, clients, tenants }: IngestTerms,
): string {
  const of = (way: IngestLeg["way"], read: (leg: IngestLeg) => number) =>
    median(legs.filter((leg) => leg.way === way).map(read));
  const speed = (way: IngestLeg["way"]) => of(way, (leg) => leg.tracesPerSecond);
  const node = of("service", (leg) => leg.nodeCpuMs);
  const postgres = (way: IngestLeg["way"]) => of(way, (leg) => leg.postgresCpuMs);
  const table = writeTable(
    ["way", "traces/s", "Node CPU ms", "PostgreSQL CPU ms"],
    [
      ["service", speed("service").toFixed(0), node.toFixed(3), postgres("service").toFixed(3)],
      ["bare COPY", speed("bare").toFixed(0), "", postgres("bare").toFixed(3)],
    ],
  );
  const each = writeTable(
    ["leg", "traces/s", "Node CPU ms", "PostgreSQL CPU ms"],
    legs.map((leg) => [
      leg.way,
      leg.tracesPerSecond.toFixed(0),
      leg.way === "service" ? leg.nodeCpuMs.toFixed(3) : "",
      leg.postgresCpuMs.toFixed(3),
    ]),
  );
  return `# Ingest

${traces.toLocaleString("en")} traces of about 37.7 KB a leg, batches of ${batch}. Service: one process, ${clients} kept connections, ${tenants} tenants.
Bare: psql text COPY of the same rows, a transaction a batch, 2 writers, the same tables and indexes. Medians of
${rounds} interleaved rounds, CPU a trace; fsync, synchronous_commit and full_page_writes on.
${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node.js ${process.version}; rows a leg: ${legs[0]?.rows.join(", ")}.

${table}

- speed, service over bare: **${(speed("service") / speed("bare")).toFixed(2)}** (to reach 0.75)
- CPU, Node and PostgreSQL over bare's PostgreSQL: **${((node + postgres("service")) / postgres("bare")).toFixed(2)}** (to reach 1.4)

${each}
`;
}
