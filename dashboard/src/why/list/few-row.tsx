import { Link } from "@tanstack/react-router";
import type { WhyRow } from "@whytrace/contract";
import { paths } from "../../paths.ts";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { TypeBadge } from "../../ui/badges.tsx";
import type { CountedSearch } from "../counted-search.ts";
import { RateCounts } from "../rate-counts.tsx";
import { fewReasons } from "./few-reasons.ts";
import { OptionLine } from "./option-line.tsx";
import { COLUMN_COUNT, COLUMNS, ROW, ROW_ACTIVE } from "./why-columns.ts";

interface FewRowProps {
  row: WhyRow;
  search: CountedSearch;
  counted: CountedTraces;
}

/** A decision that is not compared, and the reason. */
export function FewRow({ row, search, counted }: FewRowProps) {
  const [first] = row.options;
  if (!first) return null;
  return (
    <tr className={`${ROW} ${ROW_ACTIVE} xl:h-9`}>
      <td className={COLUMNS.decision}>
        <TypeBadge type={row.type} />
      </td>
      <td className={COLUMNS.options}>
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
            others={row.options.length + row.neverChosen.length - 1}
            className="text-text"
          />
        </Link>
      </td>
      <td className={COLUMNS.rate}>
        <RateCounts option={first} counted={counted} className="block text-muted [&_*]:font-normal" />
      </td>
      <td colSpan={COLUMN_COUNT - 4} className={`${COLUMNS.plot} text-xs text-muted`}>
        {row.group === "aside"
          ? "set aside"
          : fewReasons(row).map(({ option, text }, index) => (
              <span key={`${option} ${text}`}>
                {index > 0 && " · "}
                {option !== null && <b className="font-semibold text-text">{option}</b>} {text}
              </span>
            ))}
      </td>
      <td className={COLUMNS.decided}>
        {row.decisions.toLocaleString("en")}
        <span className="xl:hidden"> decided</span>
      </td>
    </tr>
  );
}
