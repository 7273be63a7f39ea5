import { toMs } from "./fields.ts";
import type { ImportReport } from "./imported.ts";

type ExportRecord = Record<string, unknown>;

interface StartTimesOptions {
  /** In the plural, for the report. */
  kind: string;
  /** Names of the fields with the times. */
  start: string;
  end: string;
  idOf(record: ExportRecord): unknown;
  parentOf(record: ExportRecord): unknown;
  traceOf(record: ExportRecord): unknown;
  /** Times that the files have of traces, besides those of these records. */
  traceTimes?: ReadonlyMap<string, number>;
  report: ImportReport;
}

/**
 * The records, each with a start time. One without is placed where it belongs, and counted in the report: at its own end, else
 * where its parent starts, else at the earliest time of its trace. Without any of them it is left out.
 */
export function withStartTimes(records: ExportRecord[], options: StartTimesOptions): ExportRecord[] {
  const { kind, start, end, idOf, parentOf, traceOf, traceTimes = [], report } = options;
  if (records.every((record) => toMs(record[start]) !== undefined)) return records;
  const timeOf = (record: ExportRecord) => toMs(record[start]) ?? toMs(record[end]);
  const byId = new Map(records.map((record) => [String(idOf(record)), record]));
  const earliest = new Map(traceTimes);
  for (const record of records) {
    const trace = String(traceOf(record));
    const ms = timeOf(record);
    if (ms !== undefined) earliest.set(trace, Math.min(ms, earliest.get(trace) ?? ms));
  }
  return records.flatMap((record) => {
    if (toMs(record[start]) !== undefined) return [record];
    const parent = byId.get(String(parentOf(record)));
    const ms = toMs(record[end]) ?? (parent && timeOf(parent)) ?? earliest.get(String(traceOf(record)));
    if (ms === undefined) {
      report.leaveOut("records without a time", kind);
      return [];
    }
    report.assume("start time", kind);
    return [{ ...record, [start]: ms }];
  });
}
