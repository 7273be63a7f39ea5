import type { ParsedTrace } from "@whytrace/contract";
import { BUILT_IN_DEFINITIONS } from "../../packages/server/src/outcomes/definition.ts";
import { TraceRows, uuidBytes } from "../../packages/server/src/trace-store/rows/encode-traces.ts";
import { SIZES } from "./generate/sizes.ts";

/** Encodes new traces with the server's encoder. */
export function encodeTraces(workspaceId: string, traces: ParsedTrace[]) {
  const jsonBytes = traces.length * SIZES.full.bytesPerTrace;
  const rows = new TraceRows({ traceCount: traces.length, jsonBytes });
  const user = uuidBytes(workspaceId);
  for (const trace of traces) {
    for (const _ of rows.addPayloads(user, trace));
    rows.addTrace(user, trace, { definitions: BUILT_IN_DEFINITIONS });
    for (const _ of rows.addChildren(user, trace));
  }
  return rows.tables();
}
