import { Link } from "@tanstack/react-router";
import { type ModelStat, SENT_PRICE } from "@whytrace/contract";
import { priceLabel } from "../client/price-label.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/controls/button.tsx";
import { formatCost, formatCount, formatExact } from "../ui/format/format.ts";

/** The models that traces called, with what they used and whose price was used. */
export function UsedModels({
  models,
  onSetPrice,
}: {
  models: ModelStat[];
  /** Undefined if the role is not enough. */
  onSetPrice: ((model: string) => void) | undefined;
}) {
  return (
    <ul className="rounded-md border border-line">
      {models.map(({ model, priceSource, calls, inputTokens, outputTokens, costUsd }) => (
        <li
          key={`${model}\n${priceSource}`}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-3 py-2 last:border-0"
        >
          <span className="min-w-0 flex-1 basis-56">
            <Link
              to={paths.traces}
              search={{ model }}
              className="block break-words font-medium hover:underline"
            >
              {model}
            </Link>
            <span
              className={`block break-words text-xs ${priceSource === null ? "text-retry" : "text-muted"}`}
            >
              {priceSource === null ? "No price" : priceLabel(priceSource)}
            </span>
          </span>
          <span className="flex flex-wrap items-center gap-x-4 max-sm:w-full">
            <span
              className="text-muted tabular-nums"
              title={`${formatExact(inputTokens + outputTokens)} tokens in ${formatExact(calls)} calls`}
            >
              {formatCount(inputTokens + outputTokens)} tokens
            </span>
            <span className="font-medium tabular-nums sm:min-w-20 sm:text-right">{formatCost(costUsd)}</span>
            {onSetPrice && (
              <Button
                className={`max-sm:ml-auto ${priceSource === SENT_PRICE ? "invisible max-sm:hidden" : ""}`}
                onClick={() => onSetPrice(model)}
                aria-label={`Set price for ${model}`}
              >
                Set price
              </Button>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
