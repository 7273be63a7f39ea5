import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { noFindingsSentence } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import type { RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { FindingRow } from "../why/findings/finding-row.tsx";
import { findingsQuery } from "../why/findings/findings-query.ts";
import { OtherLenses } from "../why/findings/other-lenses.tsx";
import { ProgressNotice } from "../why/progress-notice.tsx";

const MAX_ROWS = 3;

/** The options that explain most bad runs of an agent, in the words of the Why page. */
export function AgentFindings({ agent, range }: { agent: string; range: RangeName | undefined }) {
  const search = omitEmpty({ agent, range });
  const findings = useQuery(findingsQuery(search));
  return (
    <QueryResult query={findings} skeleton={<SkeletonRows count={3} />}>
      {(found) => {
        const worse = found.rows.filter(({ group }) => group === "worse");
        return (
          <>
            <ProgressNotice progress={found.progress} />
            {worse.length === 0 ? (
              <p className="max-w-[80ch] p-3">
                {noFindingsSentence(found)} <OtherLenses found={found} search={search} />
              </p>
            ) : (
              <ul>
                {worse.slice(0, MAX_ROWS).map((row) => (
                  <FindingRow key={`${row.kind} ${row.step}`} row={row} found={found} search={search} />
                ))}
              </ul>
            )}
            {worse.length > MAX_ROWS && (
              <p className="px-3 py-2">
                <Link to={paths.why} search={search} className="text-accent underline">
                  {worse.length - MAX_ROWS} more
                </Link>
              </p>
            )}
          </>
        );
      }}
    </QueryResult>
  );
}
