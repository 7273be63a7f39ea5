import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { priceLabel } from "../../client/price-label.ts";
import { paths } from "../../paths.ts";
import { formatExact } from "../../ui/format/format.ts";
import type { OutlineSpan } from "../model/outline.ts";

const LINK = "text-accent hover:underline";

/** The model that a span called, the kinds of its tokens, and the price that was used. */
export function modelFacts(
  span: OutlineSpan,
  isShared: boolean,
): (readonly [label: string, value: ReactNode] | null)[] {
  const { model, priceSource, inputTokens, outputTokens } = span;
  const isCounted = inputTokens !== null || outputTokens !== null;
  return [
    model === null
      ? null
      : [
          "Model",
          isShared ? (
            model
          ) : (
            <Link
              key="model"
              to={paths.traces}
              search={{ model }}
              className={LINK}
              title={`Traces with ${model}`}
            >
              {model}
            </Link>
          ),
        ],
    tokenFact("Input", inputTokens, [
      [span.cacheReadTokens, "read from cache"],
      [span.cacheWriteTokens, "written to cache"],
    ]),
    tokenFact("Output", outputTokens, [[span.reasoningTokens, "reasoning"]]),
    model === null || !isCounted
      ? null
      : [
          "Price",
          priceSource === null && isShared ? (
            "No price"
          ) : priceSource === null ? (
            <Link key="price" to={paths.prices} search={{ model }} className={LINK}>
              No price. Set one for {model}
            </Link>
          ) : (
            priceLabel(priceSource)
          ),
        ],
  ];
}

function tokenFact(
  label: string,
  total: number | null,
  kinds: [count: number | null, label: string][],
): readonly [string, string] | null {
  if (total === null) return null;
  const known = kinds.filter(([count]) => count).map(([count, kind]) => `${formatExact(count)} ${kind}`);
  return [label, [`${formatExact(total)} tokens`, ...known].join(" · ")];
}
