import { Link } from "@tanstack/react-router";
import type { ChoiceStat, StatsRange } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { TypeBadge } from "../ui/badges.tsx";
import { formatExact } from "../ui/format.ts";
import { RankedRow } from "./ranked-row.tsx";

/** The choices most frequent in failed traces; each row links to those traces. */
export function TopChoices({ choices, from, to }: StatsRange & { choices: ChoiceStat[] }) {
  const maxFailed = choices[0]?.failed ?? 1;
  return (
    <ul>
      {choices.map(({ type, choice, count, failed }) => (
        <RankedRow key={`${type}\n${choice}`} share={failed / maxFailed} tint="[--tint:var(--color-error)]">
          <Link
            to={paths.traces}
            search={{ choice, choiceType: type, status: "ERROR", startedFrom: from, startedTo: to }}
            className="flex min-h-11 min-w-0 flex-1 items-center gap-2 py-1.5 hover:underline"
          >
            <TypeBadge type={type} />
            <span className="truncate font-medium">{choice}</span>
          </Link>
          <span
            className="whitespace-nowrap text-right"
            title={`${formatExact(failed)} of ${formatExact(count)}`}
          >
            <span className="font-medium">{Math.round((failed / count) * 100)}%</span>{" "}
            <span className="text-muted">of {formatExact(count)}</span>
          </span>
        </RankedRow>
      ))}
    </ul>
  );
}
