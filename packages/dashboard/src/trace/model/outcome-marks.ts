import type { OutcomeReason, RunOutcome, Score } from "@whytrace/contract";
import { distinctReasons, reasonWords } from "../../scores/outcome-words.ts";
import { decisionKey, spanKey, type TraceTree, type TreeNode } from "./trace-tree.ts";

/** Where the bad things of a run are, in words, by the key of the row. */
export type OutcomeMarks = ReadonlyMap<string, string[]>;

/** Errors are marked anyway. What is on the run, or on a row that is not there, marks the root span if there is one. */
export function outcomeMarks(
  tree: TraceTree,
  outcome: RunOutcome | undefined,
  scores: readonly Score[] | undefined,
): OutcomeMarks {
  const marks = new Map<string, string[]>();
  const rootSpans = tree.roots.filter(({ kind }) => kind === "span");
  const root = rootSpans.length === 1 ? rootSpans[0] : undefined;
  for (const reason of outcome ? distinctReasons(outcome) : []) {
    if (reason.kind === "status") continue;
    const node = placedNode(tree, reason) ?? root;
    if (node) marks.set(node.key, [...(marks.get(node.key) ?? []), reasonWords(reason, scores)]);
  }
  return marks;
}

function placedNode(tree: TraceTree, { place: { kind, id } }: OutcomeReason): TreeNode | undefined {
  if (id === null) return undefined;
  if (kind === "decision") return tree.byKey.get(decisionKey(id));
  const spanId = kind === "event" ? tree.outline.events.find((event) => event.id === id)?.spanId : id;
  return spanId ? tree.byKey.get(spanKey(spanId)) : undefined;
}
