import type { SearchHit } from "@whytrace/contract";
import { decisionKey, spanKey, type TraceTree } from "./trace-tree.ts";

/** What a search of the trace's contents has found. */
export interface TraceHits {
  /** Hits by the key of the span or decision, and of the group that the span is in. Events belong to their span. */
  byKey: ReadonlyMap<string, SearchHit[]>;
  /** Hits in the trace itself and in events without a span in the tree. */
  outside: SearchHit[];
}

export const NO_HITS: TraceHits = { byKey: new Map(), outside: [] };

export function groupHits(tree: TraceTree, hits: SearchHit[]): TraceHits {
  const spanOfEvent = new Map(tree.outline.events.map(({ id, spanId }) => [id, spanId]));
  const byKey = new Map<string, SearchHit[]>();
  const outside: SearchHit[] = [];
  for (const hit of hits) {
    const node = tree.byKey.get(keyOf(hit, spanOfEvent));
    if (!node) outside.push(hit);
    for (const { key } of [node, node?.group].filter((item) => !!item)) {
      const before = byKey.get(key);
      if (before) before.push(hit);
      else byKey.set(key, [hit]);
    }
  }
  return { byKey, outside };
}

const keyOf = ({ record: { kind, id } }: SearchHit, spanOfEvent: Map<string, string | null>) =>
  kind === "span"
    ? spanKey(id)
    : kind === "decisionPoint"
      ? decisionKey(id)
      : kind === "event"
        ? spanKey(spanOfEvent.get(id) ?? "")
        : "";

const CONTENTS = new Set<string>(["input", "output", "metadata", "contextSnapshot"]);

/** Whether the hit is in something that the tree does not show. */
export const isInContents = ({ record, field }: SearchHit) => record.kind === "event" || CONTENTS.has(field);
