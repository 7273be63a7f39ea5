import type { TraceFormat } from "../types.ts";
import type { Sendable } from "./sendable.ts";

/** The state of a trace or score at one moment; a trace may have changed since. */
export interface Serialized {
  item: Sendable;
  /** The item's revision, or 0 for a snapshot of a running trace. */
  revision: number;
  json: string;
  bytes: number;
}

/** A request with items of one format. */
export interface Batch {
  path: string;
  readResponse?: TraceFormat["readResponse"];
  body: string;
}

export function serializeBatch(items: Serialized[]): Batch {
  const { path = "", list, readResponse }: Partial<Sendable["format"]> = items[0]?.item.format ?? {};
  return { path, readResponse, body: `{"${list}":[${items.map(({ json }) => json).join(",")}]}` };
}
