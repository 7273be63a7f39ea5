import { cpus } from "node:os";
import { writeTable } from "./write-table.ts";

export interface ReadFigure {
  name: string;
  /** How many records the whole list has; null where there is no list. */
  total: number | null;
  bytes: number;
  /** How often it was timed: fewer where it is slow. */
  requests: number;
  p50Ms: number;
  p99Ms: number;
}

const AIM_MS = 20;

export function reportReads(
  figures: ReadFigure[],
  { scale, requests, warmUp }: { scale: number; requests: number; warmUp: number },
): string {
  const over = figures.filter(({ p99Ms }) => p99Ms > AIM_MS);
  const table = writeTable(
    ["read", "total", "KB", "n", "p50 ms", "p99 ms", `over ${AIM_MS}`],
    figures.map(({ name, total, bytes, requests: timed, p50Ms, p99Ms }) => [
      name,
      total === null ? "" : String(total),
      (bytes / 1_000).toFixed(1),
      String(timed),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      p99Ms > AIM_MS ? "OVER" : "",
    ]),
  );
  return `# Reads

One tenant of ${(100_000 * scale).toLocaleString("en")} traces (12 spans, 4 decision points, 3 events each) among 50 of
${(2_000 * scale).toLocaleString("en")}. Each read ${requests} times (n, fewer where it is slow) after ${warmUp} for warming up, one after another over one kept connection:
the time includes HTTP on loopback and the session's check, but for the usage checks, which are called directly.
${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node.js ${process.version}. Over ${AIM_MS} ms at p99: ${over.length} of ${figures.length}.

${table}
`;
}
