import { Link } from "@tanstack/react-router";
import type { ComparedSide, DriftRow, ReleaseComparison } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { TraceCount } from "../traces/trace-count.tsx";
import { TypeBadge } from "../ui/badges.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";

/** Options that moved less are left out. */
const MIN_SHOWN_CHANGE = 0.005;
const MAX_OPTIONS = 6;

/** Decisions whose options are chosen in other shares than before. */
export function ChangedChoices({ comparison }: { comparison: ReleaseComparison }) {
  const { choices, untestedChoices } = comparison;
  return (
    <>
      {choices.length === 0 ? (
        <p className="p-3 text-muted">No choice changed more than by chance.</p>
      ) : (
        <ul>
          {choices.map((row) => (
            <Choice key={row.signature} row={row} comparison={comparison} />
          ))}
        </ul>
      )}
      {untestedChoices > 0 && (
        <p className="border-t border-line/60 px-3 py-2 text-xs text-muted">
          {untestedChoices === 1 ? "1 decision" : `${untestedChoices.toLocaleString("en")} decisions`} could
          not be tested: made on one side only, or too rarely.
        </p>
      )}
    </>
  );
}

function Choice({
  row: { signature, type, options, baseDecisions, currentDecisions, distance },
  comparison: { agent, base, current },
}: {
  row: DriftRow;
  comparison: ReleaseComparison;
}) {
  const moved = options
    .map((option) => ({
      ...option,
      before: baseDecisions === 0 ? 0 : option.base / baseDecisions,
      after: currentDecisions === 0 ? 0 : option.current / currentDecisions,
    }))
    .filter(({ before, after }) => Math.abs(after - before) >= MIN_SHOWN_CHANGE)
    .sort((one, other) => Math.abs(other.after - other.before) - Math.abs(one.after - one.before));
  return (
    <li className="grid gap-1 border-b border-line/60 px-3 py-2 last:border-0">
      <p className="flex flex-wrap items-center gap-2">
        <TypeBadge type={type} />
        <Link
          to={paths.scorecard}
          params={{ signature }}
          search={{ agent }}
          className="text-accent underline"
        >
          {Math.round(100 * distance)} points moved
        </Link>
      </p>
      <ul>
        {moved.slice(0, MAX_OPTIONS).map(({ step, name, before, after }) => (
          <li key={step} className="grid grid-cols-[minmax(0,1fr)_auto] gap-3 py-0.5">
            <span className="truncate" title={name}>
              {name}
            </span>
            <span className="whitespace-nowrap tabular-nums">
              <Share agent={agent} side={base} step={step} name={name} share={before} /> →{" "}
              <Share agent={agent} side={current} step={step} name={name} share={after} />
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}

interface ShareProps {
  agent: string;
  side: ComparedSide;
  step: string;
  name: string;
  share: number;
}

function Share({ agent, side: { release, from, to }, step, name, share }: ShareProps) {
  if (share === 0) return <span className="text-muted">0 %</span>;
  return (
    <TraceCount
      traces={{ agent, release: release ?? undefined, step, about: name, startedFrom: from, startedTo: to }}
      label={`${formatPercent(share)} chose ${name}${release === null ? "" : ` in ${release}`}`}
      className="text-accent underline"
    >
      {formatPercent(share)}
    </TraceCount>
  );
}
