import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { GrowthMetrics } from "./measure-growth.ts";
import type { ReadMetrics } from "./measure-reads.ts";
import type { VariantMetrics } from "./measure-variants.ts";
import { plotBars } from "./plot.ts";
import {
  cpu,
  findVariant,
  LARGE_READ_TARGET_MS,
  READ_TARGET_MS,
  type Results,
  summarize,
} from "./results.ts";
import { writeTable } from "./write-table.ts";

/** Writes the tables and plots of each section to results/ and returns the tables. */
export function writeReport(results: Results): string {
  const folder = new URL("results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  const save = (name: string, text: string) => writeFileSync(new URL(name, folder), text);
  const environment = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node.js ${process.version}; medians of ${results.rounds} interleaved rounds${results.isQuick ? ", quick" : ""}.`;
  const summary = summarize(results);
  const parts: string[] = [];
  const add = (name: string, title: string, text: string) => {
    const page = `# ${title}\n\n${environment}\n\n${text}\n`;
    save(`${name}.md`, page);
    parts.push(page);
  };

  const { batches, singles, resends, largeTrace, reads, growth } = results;
  if (batches) {
    const { batch50, cpuRatio } = summary.ingest;
    const targets = `- throughput, service / bare: **${batch50?.ratio}** (target 0.75), in two processes ${batch50?.twoProcesses}\n- CPU, service (Node and PostgreSQL) / bare: **${cpuRatio}** (target 1.4)`;
    add(
      "batches",
      "Ingest, batches of 50",
      `${variantsTable(batches)}\n\n${targets}\n\n${runsTable(batches)}`,
    );
    save(
      "batches.svg",
      speedPlot(
        "Batches of 50: traces per second",
        batches,
        0.75 * findVariant(batches, "bare").tracesPerSecond,
        "0.75 of bare",
      ),
    );
  }
  if (singles) {
    const { single } = summary.ingest;
    const targets = `- throughput, service / PostgreSQL alone with one commit per trace: **${single?.ratio}** (target 1.2), one tenant ${single?.oneTenant}\n- one request at a time: p50 ${singles.loneP50Ms.toFixed(2)} ms, p99 ${singles.loneP99Ms.toFixed(2)} ms`;
    add(
      "singles",
      "Ingest, one trace per request",
      `${variantsTable(singles.variants)}\n\n${targets}\n\n${runsTable(singles.variants)}`,
    );
    save(
      "singles.svg",
      speedPlot(
        "One trace per request, 64 connections: traces per second",
        singles.variants,
        1.2 * findVariant(singles.variants, "bare").tracesPerSecond,
        "1.2 of PostgreSQL alone",
      ),
    );
  }
  if (resends) {
    const { resend } = summary.ingest;
    const targets = `- CPU, resend / first request: **${resend?.cpuRatio}** (target 0.40)\n- CPU of PostgreSQL: **${resend?.engineCpuRatio}** (target 0.15)\n- write-ahead log: **${resend?.walRatio}** (target 0.02)`;
    add(
      "resends",
      "Resends of a running trace, one new span in 200",
      `${variantsTable(resends)}\n\n${targets}\n\n${runsTable(resends)}`,
    );
  }
  if (largeTrace)
    add(
      "large-trace",
      "Reading a trace of 10,000 spans",
      `${largeTrace.megabytes.toFixed(1)} MB. Service ${largeTrace.serviceP50Ms.toFixed(1)} ms, plain queries and JSON.stringify ${largeTrace.bareP50Ms.toFixed(1)} ms: **${summary.reads.trace10kRatio}** (target 1.3).`,
    );
  const addReads = (name: string, title: string, metrics: ReadMetrics[], targetMs: number) => {
    add(name, title, readsTable(metrics, targetMs));
    const slowest = metrics.toSorted((a, b) => b.p99Ms - a.p99Ms).slice(0, 24);
    save(
      `${name}.svg`,
      plotBars(
        "The slowest reads: p99",
        slowest.map(({ name: label, p99Ms }) => ({
          label: label.slice(0, 36),
          value: p99Ms,
          text: `${p99Ms.toFixed(1)} ms`,
        })),
        { value: targetMs, text: `${targetMs} ms` },
      ),
    );
  };
  if (reads) addReads("reads", "Reads", reads, READ_TARGET_MS);
  const large = growth?.at(-1)?.reads;
  if (large)
    addReads(
      "reads-large",
      "Reads of a tenant with a million traces, up to page 1,000",
      large,
      LARGE_READ_TARGET_MS,
    );
  if (growth) {
    add("growth", "Growth", growthTables(growth));
    save(
      "growth.svg",
      plotBars(
        "CPU per trace by number of stored traces",
        growth.flatMap(({ stored, service, bare }) => [
          {
            label: `service, ${stored.toLocaleString("en")}`,
            value: cpu(service),
            text: `${cpu(service).toFixed(2)} ms`,
          },
          {
            label: `bare, ${stored.toLocaleString("en")}`,
            value: bare.postgresCpuMs,
            text: `${bare.postgresCpuMs.toFixed(2)} ms`,
          },
        ]),
      ),
    );
  }
  return parts.join("\n");
}

const variantsTable = (variants: VariantMetrics[]) =>
  writeTable(
    ["variant", "traces/s", "Node CPU ms", "PostgreSQL CPU ms", "WAL KB"],
    variants.map((one) => [
      one.name,
      one.tracesPerSecond.toFixed(0),
      one.nodeCpuMs === 0 ? "" : one.nodeCpuMs.toFixed(3),
      one.postgresCpuMs.toFixed(3),
      (one.walBytes / 1_000).toFixed(1),
    ]),
  );

const runsTable = (variants: VariantMetrics[]) =>
  writeTable(
    ["variant", "round", "traces/s", "Node CPU ms", "PostgreSQL CPU ms"],
    variants.flatMap(({ name, runs }) =>
      runs.map((run) => [
        name,
        String(run.round),
        run.tracesPerSecond.toFixed(0),
        run.nodeCpuMs.toFixed(3),
        run.postgresCpuMs.toFixed(3),
      ]),
    ),
  );

const speedPlot = (title: string, variants: VariantMetrics[], target: number, text: string) =>
  plotBars(
    title,
    variants.map(({ name, tracesPerSecond }) => ({
      label: name,
      value: tracesPerSecond,
      text: tracesPerSecond.toFixed(0),
    })),
    { value: target, text },
  );

function readsTable(metrics: ReadMetrics[], targetMs: number): string {
  const over = metrics.filter(({ p99Ms }) => p99Ms > targetMs);
  const table = writeTable(
    ["read", "total", "KB", "n", "first ms", "p50 ms", "p99 ms", `over ${targetMs}`],
    metrics.map(({ name, total, bytes, requests, firstMs, p50Ms, p99Ms }) => [
      name,
      total === null ? "" : String(total),
      (bytes / 1_000).toFixed(1),
      String(requests),
      firstMs.toFixed(2),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      p99Ms > targetMs ? "OVER" : "",
    ]),
  );
  return `Times are measured in the client and include HTTP on loopback and the session check. First: the first request, with empty caches. Over ${targetMs} ms at p99: ${over.length} of ${metrics.length}.\n\n${table}`;
}

function growthTables(growth: GrowthMetrics[]): string {
  const ingest = writeTable(
    ["stored", "GB", "service/s", "bare/s", "Node CPU ms", "PostgreSQL CPU ms", "bare CPU ms"],
    growth.map(({ stored, bytes, service, bare }) => [
      stored.toLocaleString("en"),
      (bytes / 1e9).toFixed(2),
      service.tracesPerSecond.toFixed(0),
      bare.tracesPerSecond.toFixed(0),
      service.nodeCpuMs.toFixed(3),
      service.postgresCpuMs.toFixed(3),
      bare.postgresCpuMs.toFixed(3),
    ]),
  );
  const names = growth.at(-1)?.firstPages.map(({ name }) => name) ?? [];
  const pages = writeTable(
    ["p99 ms of", ...growth.map(({ stored }) => stored.toLocaleString("en"))],
    names.map((name) => [
      name,
      ...growth.map(({ firstPages }) => firstPages.find((one) => one.name === name)?.p99Ms.toFixed(2) ?? ""),
    ]),
  );
  return `${ingest}\n\n${pages}`;
}
