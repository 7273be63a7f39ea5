import { Link } from "@tanstack/react-router";
import type { ModelStats } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { formatCost, formatCount, formatExact } from "../ui/format/format.ts";
import { groupByModel } from "./group-by-model.ts";
import { RankedRow } from "./ranked-row.tsx";

const MAX_ROWS = 8;

/** What each model cost, the costliest first. A row links to its traces. */
export function ModelCosts({ models, from, to }: ModelStats) {
  const grouped = groupByModel(models);
  const shown = grouped.slice(0, MAX_ROWS);
  const maxCost = Math.max(...grouped.map(({ costUsd }) => costUsd ?? 0));
  const maxTokens = Math.max(1, ...grouped.map(({ tokens }) => tokens));
  return (
    <ul>
      {shown.map(
        ({ model, calls, costUsd, unpricedCalls, tokens, inputTokens, outputTokens, cacheReadTokens }) => (
          <RankedRow
            key={model}
            share={maxCost > 0 ? (costUsd ?? 0) / maxCost : tokens / maxTokens}
            tint="[--tint:var(--color-llm)]"
          >
            <Link
              to={paths.traces}
              search={{ model, startedFrom: from, startedTo: to }}
              className="min-w-0 flex-1 py-1.5 hover:underline max-sm:py-3"
            >
              <span className="block truncate font-medium">{model}</span>
              <span className="block truncate text-xs text-muted">
                {formatCount(calls)} {calls === 1 ? "call" : "calls"} · {formatCount(inputTokens)} in
                {cacheReadTokens > 0 && ` (${formatCount(cacheReadTokens)} cached)`} ·{" "}
                {formatCount(outputTokens)} out
              </span>
            </Link>
            <span className="whitespace-nowrap text-right tabular-nums">
              {unpricedCalls === calls ? (
                <Link to={paths.prices} search={{ model }} className="block text-accent hover:underline">
                  No price
                </Link>
              ) : (
                <span
                  className="block font-medium"
                  title={
                    unpricedCalls > 0 ? `${formatExact(unpricedCalls)} calls have no price` : `$${costUsd}`
                  }
                >
                  {formatCost(costUsd)}
                  {unpricedCalls > 0 && "+"}
                </span>
              )}
              <span className="text-xs text-muted" title={`${formatExact(tokens)} tokens`}>
                {formatCount(tokens)} <span className="sr-only">tokens</span>
              </span>
            </span>
          </RankedRow>
        ),
      )}
      {grouped.length > shown.length && (
        <li className="border-t border-line/60 px-3 py-2 text-xs text-muted">
          and {grouped.length - shown.length} more
        </li>
      )}
    </ul>
  );
}
