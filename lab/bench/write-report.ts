import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { GrowthMetrics } from "./measure/measure-growth.ts";
import type { ReadMetrics } from "./measure/measure-reads.ts";
import type { VariantMetrics } from "./measure/measure-variants.ts";
import type { ReadTimes } from "./measure/timed-read.ts";
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

/** Writes the tables and plots of each section to results/, except for those of quick runs, and returns the tables. */
export function writeReport(results: Results): string {
  const folder = new URL("results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  const save = (name: string, text: string) => {
    if (!results.isQuick) writeFileSync(new URL(name, folder), text);
  };
  const environment = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node.js ${process.version}; medians of ${results.rounds} interleaved rounds${results.isQuick ? ", quick" : ""}.`;
  const summary = summarize(results);
  const parts: string[] = [];
  const add = (name: string, title: string, text: string) => {
    const page = `# ${title}\n\n${environment}\n\n${text}\n`;
    save(`${name}.md`, page);
    parts.push(page);
  };

  const { batches, conversationBatches, singles, conversationSingles, otlp, resends } = results;
  const { masking, largeTrace, reads, growth } = results;
  if (batches) {
    const { batch50, cpuRatio, ...disk } = summary.ingest;
    add(
      "batches",
      "Ingest, batches of 50",
      [
        `A trace has ${kilobytes(batches.jsonBytes)} KB as JSON.`,
        variantsTable(batches.variants),
        targetList([
          ["throughput, service / bare", batch50?.ratio, "at least 1.0"],
          ["throughput, two processes / bare", batch50?.twoProcesses],
          ["throughput, service / bare with packed rows", batch50?.ratioOfPacked],
          ["CPU, service (Node and PostgreSQL) / bare", cpuRatio, "at most 1.2"],
          ["disk, service / bare", disk.diskOfUnpacked, "at most 0.60"],
          ["write-ahead log, service / bare", disk.walOfUnpacked, "at most 0.65"],
        ]),
        runsTable(batches.variants),
      ].join("\n\n"),
    );
    save(
      "batches.svg",
      speedPlot(
        "Batches of 50: traces per second",
        batches.variants,
        findVariant(batches.variants, "bare").tracesPerSecond,
        "bare",
      ),
    );
  }
  if (conversationBatches) {
    const { ratio, ratioOfPacked, cpuRatio, diskOfUnpacked, walOfUnpacked, diskOfRaw } = summary.conversation;
    add(
      "conversations",
      "Ingest of conversations, batches of 10",
      [
        `A trace has ${kilobytes(conversationBatches.jsonBytes)} KB as JSON.`,
        variantsTable(conversationBatches.variants),
        targetList([
          ["throughput, service / bare", ratio, "at least 1.8"],
          ["throughput, service / bare with packed rows", ratioOfPacked],
          ["CPU, service (Node and PostgreSQL) / bare", cpuRatio, "at most 0.60"],
          ["disk, service / bare", diskOfUnpacked, "at most 0.30"],
          ["write-ahead log, service / bare", walOfUnpacked, "at most 0.35"],
          ["disk of the service / JSON", diskOfRaw, "at most 0.35"],
        ]),
        runsTable(conversationBatches.variants),
      ].join("\n\n"),
    );
    save(
      "conversations.svg",
      speedPlot(
        "Conversations, batches of 10: traces per second",
        conversationBatches.variants,
        1.8 * findVariant(conversationBatches.variants, "bare").tracesPerSecond,
        "1.8 of bare",
      ),
    );
  }
  if (singles) {
    const { single } = summary.ingest;
    add(
      "singles",
      "Ingest, one trace per request",
      [
        variantsTable(singles.variants),
        targetList([
          ["throughput, service / bare", single?.ratio, "at least 1.25"],
          ["throughput, service with one tenant / bare", single?.oneTenant],
        ]),
        `- one request at a time: p50 ${singles.loneP50Ms.toFixed(2)} ms, p99 ${singles.loneP99Ms.toFixed(2)} ms`,
        runsTable(singles.variants),
      ].join("\n\n"),
    );
    save(
      "singles.svg",
      speedPlot(
        "One trace per request, 64 connections: traces per second",
        singles.variants,
        1.25 * findVariant(singles.variants, "bare").tracesPerSecond,
        "1.25 of PostgreSQL alone",
      ),
    );
  }
  if (conversationSingles)
    add(
      "single-conversations",
      "Ingest of conversations, one trace per request",
      [
        variantsTable(conversationSingles.variants),
        targetList([["throughput, service / bare", summary.conversation.single, "at least 1.6"]]),
        `- one request at a time: p50 ${conversationSingles.loneP50Ms.toFixed(2)} ms, p99 ${conversationSingles.loneP99Ms.toFixed(2)} ms`,
        runsTable(conversationSingles.variants),
      ].join("\n\n"),
    );
  if (otlp) {
    const { ingest } = summary;
    add(
      "otlp",
      "Ingest by OTLP, 512 spans per request",
      [
        `A trace has ${otlp.spansPerTrace.toFixed(0)} spans, ${kilobytes(otlp.jsonBytes)} KB as JSON of POST /api/traces and ${kilobytes(otlp.protobufBytes)} KB as protobuf.`,
        variantsTable(otlp.variants),
        targetList([
          ["spans per second, whole traces", ingest.otlp?.spansPerSecond],
          ["spans per second, each trace in ten pieces", ingest.otlp?.spansPerSecondInPieces],
          ["throughput, whole traces / bare", ingest.otlp?.ratio],
          ["throughput, ten pieces / bare", ingest.otlp?.ratioInPieces],
          ["throughput, whole traces / POST /api/traces", ingest.otlp?.ratioOfJson],
        ]),
        runsTable(otlp.variants),
      ].join("\n\n"),
    );
  }
  if (resends) {
    const { resend } = summary.ingest;
    add(
      "resends",
      "Resends of a running trace, one new span in 200",
      [
        variantsTable(resends),
        targetList([
          ["CPU, resend / first request", resend?.cpuRatio, "at most 0.40"],
          ["CPU of PostgreSQL", resend?.engineCpuRatio, "at most 0.15"],
          ["write-ahead log", resend?.walRatio, "at most 0.02"],
        ]),
        "The ratios grow when the first request becomes cheaper: read them with the figures in the table.",
        runsTable(resends),
      ].join("\n\n"),
    );
  }
  if (masking) {
    const ratios = summary.ingest.masking;
    add(
      "masking",
      "Ingest with masking",
      [
        "Batches of 50 traces:",
        variantsTable(masking.full),
        "Batches of 10 conversations:",
        variantsTable(masking.conversation),
        targetList([
          ["CPU, secrets / off", ratios?.full.secrets, "at most 1.15"],
          ["CPU, personal / off", ratios?.full.personal, "at most 1.20"],
          ["CPU, conversations, secrets / off", ratios?.conversation.secrets, "at most 1.15"],
          ["CPU, conversations, personal / off", ratios?.conversation.personal, "at most 1.20"],
        ]),
      ].join("\n\n"),
    );
  }
  if (largeTrace) {
    const { manySpans, largeConversation } = largeTrace;
    add(
      "large-trace",
      "Reading large traces",
      [
        `A trace of 10,000 spans; bare: plain queries of unpacked rows and JSON.stringify. Whole, service / bare: **${summary.reads.trace10kRatio}** (target at most 1.3).`,
        readTimesTable({
          whole: manySpans.service,
          "whole, bare": manySpans.bare,
          outline: manySpans.outline,
        }),
        `A conversation of ${largeConversation.spans} spans and ${(largeConversation.jsonBytes / 2 ** 20).toFixed(1)} MiB.`,
        readTimesTable({
          whole: largeConversation.service,
          "whole, bare": largeConversation.bare,
          outline: largeConversation.outline,
          "one span": largeConversation.span,
        }),
      ].join("\n\n"),
    );
  }
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

const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1);

const targetList = (targets: [label: string, value: number | undefined, target?: string][]) =>
  targets
    .map(([label, value, target]) => `- ${label}: **${value}**${target ? ` (target ${target})` : ""}`)
    .join("\n");

const readTimesTable = (reads: Record<string, ReadTimes>) =>
  writeTable(
    ["read", "KB", "p50 ms", "p99 ms", "CPU ms"],
    Object.entries(reads).map(([name, { bytes, p50Ms, p99Ms, cpuMs }]) => [
      name,
      kilobytes(bytes),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      cpuMs.toFixed(2),
    ]),
  );

const variantsTable = (variants: VariantMetrics[]) =>
  writeTable(
    ["variant", "traces/s", "Node CPU ms", "PostgreSQL CPU ms", "WAL KB", "disk KB"],
    variants.map((one) => [
      one.name,
      one.tracesPerSecond.toFixed(0),
      one.nodeCpuMs === 0 ? "" : one.nodeCpuMs.toFixed(3),
      one.postgresCpuMs.toFixed(3),
      kilobytes(one.walBytes),
      kilobytes(one.diskBytes),
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
