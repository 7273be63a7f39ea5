import type { ParsedTrace } from "@whytrace/contract";
import { TraceRows, uuidBytes } from "../server/src/trace-store/encode-traces.ts";
import { SIZES } from "./sizes.ts";

/** Encodes new traces with the server's encoder. */
export function encodeTraces(userId: string, traces: ParsedTrace[], isPacked: boolean) {
  const jsonBytes = traces.length * SIZES.full.bytesPerTrace;
  const rows = new TraceRows({ traceCount: traces.length, jsonBytes, isPacked });
  const user = uuidBytes(userId);
  for (const trace of traces) {
    for (const _ of rows.addPayloads(user, trace));
    rows.addTrace(user, trace, undefined);
    for (const _ of rows.addChildren(user, trace));
  }
  return rows.tables();
}
