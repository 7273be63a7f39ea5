import { optionName } from "@whytrace/contract";
import { typeLabel } from "../../ui/badges.tsx";
import { cachedCriticalPath } from "./cached-critical-path.ts";
import type { QuickSearch } from "./quick-searches.ts";
import { selfTimeMs } from "./self-time.ts";
import type { SpanNode, TraceTree, TreeNode } from "./trace-tree.ts";

const MAX_RANKED = 10;

/** Finds text in names, types, messages, IDs, choices and reasoning, ignoring case. */
export function searchText(tree: TraceTree, text: string): TreeNode[] {
  const query = text.toLowerCase();
  return tree.order.filter((node) => searchableText(node).toLowerCase().includes(query));
}

function searchableText(node: TreeNode): string {
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

/** Errors and the critical path are in tree order; the slowest and the costliest spans are sorted, worst first. */
export function quickSearch(tree: TraceTree, search: Exclude<QuickSearch, "blame" | "bad">): TreeNode[] {
  if (search === "errors") return tree.errors;
  if (search === "critical") {
    const path = cachedCriticalPath(tree);
    return tree.order.filter((node) => node.kind === "span" && path.has(node));
  }
  return topSpans(tree, search === "slowest" ? selfTimeMs : ownCostOf);
}

/** Ignores sums, which would rank every ancestor of a costly span. */
const ownCostOf = (node: SpanNode) => (node.isCostDerived ? 0 : (node.costUsd ?? 0));

function topSpans(tree: TraceTree, metric: (node: SpanNode) => number): SpanNode[] {
  return tree.spans
    .map((node) => ({ node, value: metric(node) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_RANKED)
    .map(({ node }) => node);
}
