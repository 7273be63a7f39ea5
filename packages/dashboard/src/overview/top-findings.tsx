import { Link } from "@tanstack/react-router";
import { type Findings, noFindingsSentence } from "@whytrace/contract";
import type { RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { FindingRow } from "../why/findings/finding-row.tsx";
import { OtherLenses } from "../why/findings/other-lenses.tsx";
import { ProgressNotice } from "../why/progress-notice.tsx";

const MAX_ROWS = 3;
/** They often have too few runs. */
const SHORT_RANGES: readonly RangeName[] = ["24h", "7d"];

/** The options that explain most bad runs, in the words of the Why page. */
export function TopFindings({ found, range }: { found: Findings; range: RangeName }) {
  const worse = found.rows.filter(({ group }) => group === "worse");
  return (
    <>
      <ProgressNotice progress={found.progress} />
      {worse.length === 0 ? (
        <p className="max-w-[80ch] p-3">
          {noFindingsSentence(found)} <OtherLenses found={found} search={{ range }} />
          {SHORT_RANGES.includes(range) && (
            <>
              {" "}
              <Link to={paths.why} search={{ range: "30d" }} className="text-accent underline">
                Look at 30 days
              </Link>
            </>
          )}
        </p>
      ) : (
        <ul>
          {worse.slice(0, MAX_ROWS).map((row) => (
            <FindingRow
              key={`${row.agent} ${row.kind} ${row.step}`}
              row={row}
              found={found}
              search={{ range }}
            />
          ))}
        </ul>
      )}
      {worse.length > MAX_ROWS && (
        <p className="px-3 py-2">
          <Link to={paths.why} search={{ range }} className="text-accent hover:underline">
            {worse.length - MAX_ROWS} more
          </Link>
        </p>
      )}
    </>
  );
}
