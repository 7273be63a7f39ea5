import { Link } from "@tanstack/react-router";
import type { OptionComparison, Release, WhyRow } from "@whytrace/contract";
import { paths } from "../../paths.ts";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { TypeBadge } from "../../ui/badges.tsx";
import { formatCostSpan, formatSigned, formatSignedCost, formatSpan } from "../../ui/format-signed.ts";
import { IntervalMark } from "../../ui/interval-mark.tsx";
import type { IntervalScale } from "../../ui/interval-scale.ts";
import { intervalTone, TONE_TEXT } from "../../ui/interval-tone.ts";
import { tintedStyle } from "../../ui/tinted-style.ts";
import type { CountedSearch } from "../counted-search.ts";
import { RateCounts } from "../rate-counts.tsx";
import { OptionLine } from "./option-line.tsx";
import { ShareSparkline } from "./share-sparkline.tsx";
import { COLUMNS, ROW, ROW_ACTIVE } from "./why-columns.ts";

interface ComparedRowProps {
  row: WhyRow;
  comparison: OptionComparison;
  scale: IntervalScale;
  search: CountedSearch;
  counted: CountedTraces;
  releases: readonly Release[];
}

/** A decision whose worst option is compared with its best alternative. */
export function ComparedRow({ row, comparison, scale, search, counted, releases }: ComparedRowProps) {
  const worst = row.options.find(({ step }) => step === comparison.worst);
  const best = row.options.find(({ step }) => step === comparison.best);
  if (!worst || !best) return null;
  const { failures, costUsd } = comparison;
  const drift = driftOf(row, worst.step);
  // A difference that fails the test of all comparisons together is not drawn as one.
  const isClear = row.group === "worse";
  const failureTone = isClear ? intervalTone(failures, 0) : "unclear";
  const costTone = isClear && costUsd ? intervalTone(costUsd, 0) : "unclear";
  return (
    <tr className={`${ROW} ${ROW_ACTIVE} xl:h-13.5`} style={tintedStyle(row.type)}>
      <td className={COLUMNS.decision}>
        <TypeBadge type={row.type} />
        <span className="block truncate text-xs text-muted xl:mt-0.5">{row.place}</span>
      </td>
      <td className={COLUMNS.options}>
        {/* The link covers the row. */}
        <Link
          to={paths.scorecard}
          params={{ signature: row.signature }}
          search={search}
          data-row={row.signature}
          title={worst.name}
          className="block after:absolute after:inset-0 focus-visible:outline-none"
        >
          <OptionLine name={worst.name} isChosen className="font-semibold text-[var(--tint)]" />
        </Link>
        <OptionLine name={best.name} others={row.options.length + row.neverChosen.length - 2} />
      </td>
      <td className={COLUMNS.rate}>
        <RateCounts option={worst} counted={counted} className="block leading-5" />
        <RateCounts
          option={best}
          counted={counted}
          className="block text-xs leading-5 text-muted [&_*]:font-normal"
        />
      </td>
      <td className={COLUMNS.plot}>
        <IntervalMark
          {...failures}
          scale={scale}
          comparedWith={isClear ? 0 : undefined}
          label={`${formatSigned(failures.value)} failures compared with ${best.name}, ${formatSpan(failures.low, failures.high)}`}
          className="h-6 xl:h-13.5"
        />
      </td>
      <td className={COLUMNS.failures}>
        <span className={`block font-semibold max-xl:inline ${TONE_TEXT[failureTone]}`}>
          {formatSigned(failures.value)}
          <span className="font-medium xl:hidden"> failures</span>
        </span>{" "}
        <span className="block whitespace-nowrap text-xs text-muted max-xl:inline">
          {formatSpan(failures.low, failures.high)}
        </span>
      </td>
      <td className={COLUMNS.cost}>
        {costUsd ? (
          <>
            <span className={`block font-semibold ${costText(costTone, failureTone)}`}>
              {formatSignedCost(costUsd.value)}
            </span>
            <span className="block whitespace-nowrap text-xs text-muted max-xl:sr-only">
              {formatCostSpan(costUsd.low, costUsd.high)}
            </span>
          </>
        ) : (
          <span className="text-muted" title="No cost is known for these runs">
            —
          </span>
        )}
      </td>
      <td className={COLUMNS.shares}>
        <ShareSparkline
          name={worst.name}
          shares={row.shares}
          share={worst.rate.decisions / Math.max(1, row.decisions)}
          drift={drift}
          driftingName={drift && drift.step !== worst.step ? nameOf(row, drift.step) : undefined}
          releases={releases}
          firstDay={counted.startedFrom ?? ""}
        />
      </td>
      <td className={COLUMNS.decided}>
        {row.decisions.toLocaleString("en")}
        <span className="xl:hidden"> decided</span>
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

/** Cost stands out in red only where failures do not already. */
function costText(cost: ReturnType<typeof intervalTone>, failures: ReturnType<typeof intervalTone>) {
  if (cost === "unclear") return "text-muted";
  return failures === "unclear" ? TONE_TEXT[cost] : "text-text";
}
