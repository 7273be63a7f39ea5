import { Link } from "@tanstack/react-router";
import { type FindingItem, type Findings, findingSentence } from "@whytrace/contract";
import { omitEmpty } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { type CountedSearch, pickCounted } from "../counted-search.ts";
import { SentenceText } from "../sentence-text.tsx";

interface FindingTextProps {
  row: FindingItem;
  found: Findings;
  search: CountedSearch;
}

/** What a finding says. The option that it names links to its scorecard. */
export function FindingText({ row, found, search }: FindingTextProps) {
  return (
    <p>
      <SentenceText
        sentence={findingSentence(row, found)}
        renderOption={(name) => (
          <Link
            to={paths.scorecard}
            params={{ signature: row.signature }}
            search={omitEmpty({
              ...pickCounted({ ...search, agent: search.agent ?? row.agent }),
              lens: found.lens,
              option: row.step,
            })}
            data-row={row.signature}
            data-step={row.step}
            className="font-semibold text-[var(--tint)] hover:underline"
          >
            {name}
          </Link>
        )}
      />
    </p>
  );
}
