import { optionName } from "@whytrace/contract";
import { typeLabel } from "../../ui/badges.tsx";
import { cachedCriticalPath } from "./cached-critical-path.ts";
import type { QuickSearch } from "./quick-searches.ts";
import { selfTimeMs } from "./self-time.ts";
import type { SpanNode, TraceTree, TreeNode } from "./trace-tree.ts";

const RANKED = 10;

/** What holds a text, in any case: names, types, messages, ids, choices and reasons. */
export function searchText(tree: TraceTree, text: string): TreeNode[] {
  const wanted = text.toLowerCase();
  return tree.order.filter((node) => wordsOf(node).toLowerCase().includes(wanted));
}

function wordsOf(node: TreeNode): string {
  if (node.kind === "span") {
    const { name, type, statusMessage, id } = node.span;
    return `${name}\n${typeLabel(type)}\n${type}\n${statusMessage ?? ""}\n${id}`;
  }
  const { type, chosen, alternatives, reasoning, id } = node.decision;
  const options = [chosen, ...alternatives].map(
    (option) => `${optionName(option)}\n${JSON.stringify(option)}`,
  );
  return `${typeLabel(type)}\n${type}\n${options.join("\n")}\n${reasoning ?? ""}\n${id}`;
}

/** Errors and the critical path in the tree's order; the slowest and the costliest from the worst down. */
export function found(tree: TraceTree, find: QuickSearch): TreeNode[] {
  if (find === "errors") return tree.errors;
  if (find === "critical") {
    const path = cachedCriticalPath(tree);
    return tree.order.filter((node) => node.kind === "span" && path.has(node));
  }
  return ranked(tree, find === "slowest" ? selfTimeMs : ownCostOf);
}

/** A sum would name every parent of the costly one as well. */
const ownCostOf = (node: SpanNode) => (node.isCostDerived ? 0 : (node.costUsd ?? 0));

function ranked(tree: TraceTree, figure: (node: SpanNode) => number): SpanNode[] {
  return tree.spans
    .map((node) => ({ node, value: figure(node) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, RANKED)
    .map(({ node }) => node);
}
