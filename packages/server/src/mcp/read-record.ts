import type { ChildKind } from "@whytrace/contract";
import { getChild } from "../traces/get-child.ts";
import { readJsonText } from "./read-json-text.ts";
import { splitFields } from "./split-fields.ts";
import type { ToolCall } from "./tool.ts";

/** The fields of one span, decision point or event as JSON text; undefined if there is no such record. */
export async function readRecord(
  call: ToolCall,
  traceId: string,
  wanted: { kind: ChildKind; id: string },
): Promise<ReadonlyMap<string, string> | undefined> {
  const { reads, workspaceId } = call;
  const child = await reads.run(workspaceId, (_db, client) => getChild(client, workspaceId, traceId, wanted));
  return child && new Map(splitFields(await readJsonText(call, [child])));
}
