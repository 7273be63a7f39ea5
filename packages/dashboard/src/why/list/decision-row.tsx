import { Link } from "@tanstack/react-router";
import type { Release, WhyRow } from "@whytrace/contract";
import { paths } from "../../paths.ts";
import { Author } from "../../shell/author.tsx";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { TypeBadge } from "../../ui/badges.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import type { CountedSearch } from "../counted-search.ts";
import { RateCounts } from "../rate-counts.tsx";
import { OptionLine } from "./option-line.tsx";
import { ShareSparkline } from "./share-sparkline.tsx";
import { COLUMNS, ROW, ROW_ACTIVE } from "./why-columns.ts";

interface DecisionRowProps {
  row: WhyRow;
  search: CountedSearch;
  counted: CountedTraces;
  releases: readonly Release[];
}

/** A decision with its two most frequent options. */
export function DecisionRow({ row, search, counted, releases }: DecisionRowProps) {
  const [first, second] = row.options;
  if (!first) return null;
  const drift = driftOf(row, first.step);
  const others = row.options.length + row.neverChosen.length - (second ? 2 : 1);
  return (
    <tr className={`${ROW} ${ROW_ACTIVE} lg:h-13.5`} style={tintedStyle(row.type)}>
      <td className={COLUMNS.decision}>
        <TypeBadge type={row.type} />
        <span className="block truncate text-xs text-muted lg:mt-0.5" title={row.place ?? undefined}>
          {row.place}
        </span>
        {row.asideBy && (
          <span className="block truncate text-xs text-muted" title={row.asideBy.name}>
            ignored by <Author person={row.asideBy} />
          </span>
        )}
      </td>
      <td className={COLUMNS.options}>
        {/* The link covers the row. */}
        <Link
          to={paths.scorecard}
          params={{ signature: row.signature }}
          search={search}
          data-row={row.signature}
          title={first.name}
          className="block after:absolute after:inset-0 focus-visible:outline-none"
        >
          <OptionLine
            name={first.name}
            isChosen
            others={second ? 0 : others}
            className="font-semibold text-[var(--tint)]"
          />
        </Link>
        {second && <OptionLine name={second.name} others={others} />}
      </td>
      <td className={COLUMNS.rate}>
        <RateCounts option={first} counted={counted} className="block leading-5" />
        {second && (
          <RateCounts
            option={second}
            counted={counted}
            className="block text-xs leading-5 text-muted [&_*]:font-normal"
          />
        )}
      </td>
      <td className={COLUMNS.shares}>
        <ShareSparkline
          name={first.name}
          shares={row.shares}
          share={first.rate.decisions / Math.max(1, row.decisions)}
          drift={drift}
          driftingName={drift && drift.step !== first.step ? nameOf(row, drift.step) : undefined}
          releases={releases}
          firstDay={counted.startedFrom ?? ""}
        />
      </td>
      <td className={COLUMNS.decided}>
        {row.decisions.toLocaleString("en")}
        <span className="lg:hidden"> decided</span>
      </td>
    </tr>
  );
}

const nameOf = ({ options }: WhyRow, step: string) => options.find((option) => option.step === step)?.name;

/** Of two options, one gains what the other loses: then the drift is told of the one that is drawn. */
function driftOf({ drift, options, neverChosen }: WhyRow, drawn: string): WhyRow["drift"] {
  if (!drift || drift.step === drawn || options.length + neverChosen.length !== 2) return drift;
  return { ...drift, step: drawn, before: 1 - drift.before, after: 1 - drift.after };
}
