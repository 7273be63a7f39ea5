import { Link } from "@tanstack/react-router";
import type { ComparedDecision } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { typeLabel } from "../ui/badges.tsx";
import { formatDuration } from "../ui/format/format.ts";
import { DecisionIcon } from "../ui/node-icons.tsx";
import { tintedStyle } from "../ui/tinted-style.ts";

interface DecisionCellProps {
  side: "A" | "B";
  traceId: string;
  decision: ComparedDecision;
  /** Whether `j` and `k` stop here. */
  isRow?: boolean;
  isFilled?: boolean;
}

/** A decision, with a link to it in its trace. */
export function DecisionCell({
  side,
  traceId,
  decision: { id, type, option, atMs },
  isRow = false,
  isFilled = false,
}: DecisionCellProps) {
  return (
    <Link
      to={paths.trace}
      params={{ id: traceId }}
      search={{ decision: id }}
      {...(isRow && { "data-row": true })}
      title={option}
      className="grid min-h-7 grid-cols-[0.875rem_7rem_minmax(0,1fr)_auto] items-center gap-1.5 hover:bg-panel max-md:min-h-9 max-lg:grid-cols-[0.875rem_minmax(0,1fr)_auto]"
      style={tintedStyle(type)}
    >
      <DecisionIcon isFilled={isFilled} />
      <span className="sr-only">{side}: </span>
      <span className="truncate text-xs font-medium text-[var(--tint)] max-lg:sr-only">
        {typeLabel(type)}
      </span>
      <span className={`truncate ${isFilled ? "font-semibold" : "font-medium"}`}>{option}</span>
      <span className="whitespace-nowrap text-xs text-muted tabular-nums">{formatDuration(atMs)}</span>
    </Link>
  );
}
