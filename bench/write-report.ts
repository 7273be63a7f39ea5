import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { GrowthFigure } from "./measure-growth.ts";
import type { WayFigures } from "./measure-legs.ts";
import type { ReadFigure } from "./measure-reads.ts";
import { plotBars } from "./plot.ts";
import { cpu, LARGE_READ_AIM_MS, READ_AIM_MS, type Results, summarize, way } from "./results.ts";
import { writeTable } from "./write-table.ts";

/** Writes each section's tables and plots into results/ and returns the tables. */
export function writeReport(results: Results): string {
  const folder = new URL("results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  const save = (name: string, text: string) => writeFileSync(new URL(name, folder), text);
  const where = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node.js ${process.version}; medians of ${results.rounds} interleaved rounds${results.isQuick ? ", quick" : ""}.`;
  const summary = summarize(results);
  const parts: string[] = [];
  const add = (name: string, title: string, text: string) => {
    const page = `# ${title}\n\n${where}\n\n${text}\n`;
    save(`${name}.md`, page);
    parts.push(page);
  };

  const { batches, singles, resends, largeTrace, reads, growth } = results;
  if (batches) {
    const { batch50, cpuRatio } = summary.ingest;
    const aims = `- speed, service over bare: **${batch50?.ratio}** (0.75 to reach), in two processes ${batch50?.twoProcesses}\n- CPU, Node and PostgreSQL over bare's PostgreSQL: **${cpuRatio}** (1.4 to reach)`;
    add("batches", "Ingest, batches of 50", `${waysTable(batches)}\n\n${aims}\n\n${legsTable(batches)}`);
    save(
      "batches.svg",
      speedPlot(
        "Batches of 50: traces a second",
        batches,
        0.75 * way(batches, "bare").tracesPerSecond,
        "0.75 of bare",
      ),
    );
  }
  if (singles) {
    const { single } = summary.ingest;
    const aims = `- speed over the engine committing each: **${single?.ratio}** (1.2 to reach), one tenant ${single?.oneTenant}\n- a lone request: p50 ${singles.loneP50Ms.toFixed(2)} ms, p99 ${singles.loneP99Ms.toFixed(2)} ms`;
    add(
      "singles",
      "Ingest, one trace a request",
      `${waysTable(singles.ways)}\n\n${aims}\n\n${legsTable(singles.ways)}`,
    );
    save(
      "singles.svg",
      speedPlot(
        "One trace a request, 64 connections: traces a second",
        singles.ways,
        1.2 * way(singles.ways, "engine").tracesPerSecond,
        "1.2 of the engine",
      ),
    );
  }
  if (resends) {
    const { resend } = summary.ingest;
    const aims = `- all CPU: **${resend?.cpuRatio}** of the first send (0.40 to reach)\n- PostgreSQL's CPU: **${resend?.engineCpuRatio}** (0.15)\n- write-ahead log: **${resend?.walRatio}** (0.02)`;
    add(
      "resends",
      "A running trace sent again, one new span in 200",
      `${waysTable(resends)}\n\n${aims}\n\n${legsTable(resends)}`,
    );
  }
  if (largeTrace)
    add(
      "large-trace",
      "A trace of 10,000 spans, read whole",
      `${largeTrace.megabytes.toFixed(1)} MB. Service ${largeTrace.serviceP50Ms.toFixed(1)} ms, plain queries and JSON.stringify ${largeTrace.bareP50Ms.toFixed(1)} ms: **${summary.reads.trace10kRatio}** (1.3 to reach).`,
    );
  const addReads = (name: string, title: string, figures: ReadFigure[], aimMs: number) => {
    add(name, title, readsTable(figures, aimMs));
    const slowest = figures.toSorted((a, b) => b.p99Ms - a.p99Ms).slice(0, 24);
    save(
      `${name}.svg`,
      plotBars(
        "The slowest reads: p99",
        slowest.map(({ name: label, p99Ms }) => ({
          label: label.slice(0, 36),
          value: p99Ms,
          text: `${p99Ms.toFixed(1)} ms`,
        })),
        { value: aimMs, text: `${aimMs} ms` },
      ),
    );
  };
  if (reads) addReads("reads", "Reads", reads, READ_AIM_MS);
  const large = growth?.at(-1)?.reads;
  if (large)
    addReads(
      "reads-large",
      "Reads of a tenant of a million traces, up to page 1,000",
      large,
      LARGE_READ_AIM_MS,
    );
  if (growth) {
    add("growth", "Growth", growthTables(growth));
    save(
      "growth.svg",
      plotBars(
        "CPU a trace by traces stored before",
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

const waysTable = (ways: WayFigures[]) =>
  writeTable(
    ["way", "traces/s", "Node CPU ms", "PostgreSQL CPU ms", "WAL KB"],
    ways.map((one) => [
      one.name,
      one.tracesPerSecond.toFixed(0),
      one.nodeCpuMs === 0 ? "" : one.nodeCpuMs.toFixed(3),
      one.postgresCpuMs.toFixed(3),
      (one.walBytes / 1_000).toFixed(1),
    ]),
  );

const legsTable = (ways: WayFigures[]) =>
  writeTable(
    ["leg", "round", "traces/s", "Node CPU ms", "PostgreSQL CPU ms"],
    ways.flatMap(({ name, legs }) =>
      legs.map((leg) => [
        name,
        String(leg.round),
        leg.tracesPerSecond.toFixed(0),
        leg.nodeCpuMs.toFixed(3),
        leg.postgresCpuMs.toFixed(3),
      ]),
    ),
  );

const speedPlot = (title: string, ways: WayFigures[], aim: number, text: string) =>
  plotBars(
    title,
    ways.map(({ name, tracesPerSecond }) => ({
      label: name,
      value: tracesPerSecond,
      text: tracesPerSecond.toFixed(0),
    })),
    { value: aim, text },
  );

function readsTable(figures: ReadFigure[], aimMs: number): string {
  const over = figures.filter(({ p99Ms }) => p99Ms > aimMs);
  const table = writeTable(
    ["read", "total", "KB", "n", "first ms", "p50 ms", "p99 ms", `over ${aimMs}`],
    figures.map(({ name, total, bytes, requests, firstMs, p50Ms, p99Ms }) => [
      name,
      total === null ? "" : String(total),
      (bytes / 1_000).toFixed(1),
      String(requests),
      firstMs.toFixed(2),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      p99Ms > aimMs ? "OVER" : "",
    ]),
  );
  return `The time is the client's: HTTP on loopback and the session's check are in it. First: the very first request, with nothing remembered. Over ${aimMs} ms at p99: ${over.length} of ${figures.length}.\n\n${table}`;
}

function growthTables(figures: GrowthFigure[]): string {
  const ingest = writeTable(
    ["stored", "GB", "service/s", "bare/s", "Node CPU ms", "PostgreSQL CPU ms", "bare's"],
    figures.map(({ stored, bytes, service, bare }) => [
      stored.toLocaleString("en"),
      (bytes / 1e9).toFixed(2),
      service.tracesPerSecond.toFixed(0),
      bare.tracesPerSecond.toFixed(0),
      service.nodeCpuMs.toFixed(3),
      service.postgresCpuMs.toFixed(3),
      bare.postgresCpuMs.toFixed(3),
    ]),
  );
  const names = figures.at(-1)?.firstPages.map(({ name }) => name) ?? [];
  const pages = writeTable(
    ["p99 ms of", ...figures.map(({ stored }) => stored.toLocaleString("en"))],
    names.map((name) => [
      name,
      ...figures.map(({ firstPages }) => firstPages.find((one) => one.name === name)?.p99Ms.toFixed(2) ?? ""),
    ]),
  );
  return `${ingest}\n\n${pages}`;
}
