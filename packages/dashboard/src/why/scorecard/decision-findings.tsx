import { useQuery } from "@tanstack/react-query";
import type { Scorecard } from "@whytrace/contract";
import { Author } from "../../shell/author.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import { FindingRow } from "../findings/finding-row.tsx";
import { findingsQuery } from "../findings/findings-query.ts";
import { ProgressNotice } from "../progress-notice.tsx";
import type { ScorecardSearch } from "./scorecard-search.ts";

interface DecisionFindingsProps {
  card: Scorecard;
  search: ScorecardSearch;
}

/** What findings say of the options of one decision, in the words of the list. */
export function DecisionFindings({ card, search }: DecisionFindingsProps) {
  const query = useQuery({ ...findingsQuery(search), enabled: !card.isAside });
  if (card.isAside)
    return (
      <p className="break-words">
        Ignored by <Author person={card.asideBy} />: the request decides this, not the agent. Its options are
        shown, not compared.
      </p>
    );
  return (
    <QueryResult query={query} skeleton={<SkeletonBar className="w-2/3" />}>
      {(found) => {
        const rows = found.rows.filter(({ signature }) => signature === card.signature);
        // Nothing may be said of options before all agents are compared.
        if (rows.length === 0 && found.progress) return <ProgressNotice progress={found.progress} />;
        if (rows.length === 0) return <p>{nothingOf(card)}</p>;
        return (
          <ul aria-label="Findings" className="-mx-4 border-t border-line/60">
            {rows.map((row) => (
              <FindingRow
                key={`${row.agent} ${row.kind} ${row.step}`}
                row={row}
                found={found}
                search={search}
              />
            ))}
          </ul>
        );
      }}
    </QueryResult>
  );
}

const nothingOf = ({ options, neverChosen }: Scorecard) =>
  options.length + neverChosen.length < 2
    ? "Only one option was ever seen here, so there is nothing to compare it with."
    : "No option of this decision stands out. Rates are shown below, not compared.";
