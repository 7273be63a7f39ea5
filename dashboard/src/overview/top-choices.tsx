import { Link } from "@tanstack/react-router";
import type { ChoiceStats } from "@whytrace/contract";
import type { RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { TypeBadge } from "../ui/badges.tsx";
import { formatExact } from "../ui/format/format.ts";
import { RankedRow } from "./ranked-row.tsx";

interface TopChoicesProps extends ChoiceStats {
  range: RangeName;
}

/** The choices most frequent in failed traces. A name links to the comparison with its alternatives, a rate to the traces. */
export function TopChoices({ choices, from, to, range }: TopChoicesProps) {
  const maxFailed = choices[0]?.failed ?? 1;
  return (
    <ul>
      {choices.map(({ type, choice, count, failed }) => (
        <RankedRow key={`${type}\n${choice}`} share={failed / maxFailed} tint="[--tint:var(--color-error)]">
          <Link
            to={paths.why}
            search={{ search: choice, type, range }}
            title={`Compare ${choice} with its alternatives`}
            className="flex min-h-11 min-w-0 flex-1 items-center gap-2 py-1.5 hover:underline"
          >
            <TypeBadge type={type} />
            <span className="truncate font-medium">{choice}</span>
          </Link>
          <Link
            to={paths.traces}
            search={{ choice, choiceType: type, status: "ERROR", startedFrom: from, startedTo: to }}
            className="flex min-h-11 items-center gap-1 whitespace-nowrap hover:underline"
            title={`${formatExact(failed)} of ${formatExact(count)}`}
          >
            <span className="font-medium">{Math.round((failed / count) * 100)}%</span>
            <span className="text-muted">of {formatExact(count)}</span>
          </Link>
        </RankedRow>
      ))}
    </ul>
  );
}
