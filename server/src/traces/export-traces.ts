import type { FairDatabase } from "../db/fair-database.ts";
import { readTraces, type WantedTraces } from "./read-traces.ts";
import { traceLine } from "./trace-line.ts";

/** Yields traces as NDJSON, one trace per line, in the order of their ids. */
export async function* exportTraces(
  reads: FairDatabase,
  userId: string,
  wanted: WantedTraces,
): AsyncGenerator<Buffer[]> {
  for await (const trace of readTraces(reads, userId, wanted)) yield* traceLine(trace);
}
