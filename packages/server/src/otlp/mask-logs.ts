import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { Masker, type MaskingCounts } from "../masking/masker.ts";
import type { OtlpLogRecord } from "./decode/otlp-span.ts";
import { mapLog } from "./map/map-log.ts";
import type { LogFacts } from "./map/span-facts.ts";
import { maskLog } from "./mask-span.ts";
import { structureOfLog } from "./structure-of-span.ts";

/** What the log records of a trace say, and what was masked in them. */
interface MaskedLogs {
  logs: LogFacts[];
  counts: MaskingCounts | null;
}

/** Masks and maps the log records of a request, by trace, without traces of which none is kept; yields where the caller may pause. */
export function* maskLogs(
  byTrace: ReadonlyMap<string, readonly OtlpLogRecord[]>,
  masking: CompiledMasking,
): Generator<undefined, Map<string, MaskedLogs>> {
  const masked = new Map<string, MaskedLogs>();
  for (const [traceId, records] of byTrace) {
    const masker = new Masker(masking, { traceId });
    const logs: LogFacts[] = [];
    for (const record of records) {
      const sent = masking.isOff ? record : masking.tally.time(() => maskLog(record, masker));
      const facts = mapLog(sent, logs.length);
      if (facts) logs.push(masking.level === "structure" ? structureOfLog(facts, masker) : facts);
      yield;
    }
    if (logs.length > 0) masked.set(traceId, { logs, counts: masker.counts });
  }
  return masked;
}
