import { useQuery } from "@tanstack/react-query";
import { BAD_RUN_WORDS, type Findings } from "@whytrace/contract";
import { useState } from "react";
import { Term } from "../../shell/term.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonLine } from "../../ui/skeleton.tsx";
import type { CountedSearch } from "../counted-search.ts";
import { FindingList } from "./finding-list.tsx";
import { FINDING_GRID } from "./finding-row.tsx";
import { FindingsNotes } from "./findings-notes.tsx";
import { findingsQuery } from "./findings-query.ts";
import { LENS_LABELS, LENSES, type Lens } from "./lens.ts";
import { SituationKeysDialog } from "./situation-keys-dialog.tsx";

interface FindingsSectionProps {
  search: CountedSearch & { lens?: Lens | undefined };
  onLens: (lens: Lens | undefined) => void;
}

/** Which options explain the bad runs of agents. */
export function FindingsSection({ search, onLens }: FindingsSectionProps) {
  const query = useQuery(findingsQuery(search));
  const { lens = query.data?.lens } = search;
  // The list of the other lens stays until this one is there, but must not be taken for it.
  const found = query.data?.lens === lens ? query.data : undefined;
  const [isNaming, setIsNaming] = useState(false);
  return (
    <section aria-labelledby="findings" className="border-b border-line pt-1">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pb-2">
        <h2 id="findings" className="font-semibold">
          What explains {titleOf(lens)}
        </h2>
        <SegmentedControl
          label="Which runs are bad"
          options={LENSES.map((one) => LENS_LABELS[one])}
          value={lens && LENS_LABELS[lens]}
          onChange={(label) => onLens(LENSES.find((one) => LENS_LABELS[one] === label))}
        />
        <span className="text-xs text-muted">
          <Term word="lens">What is this lens?</Term>
        </span>
        <Button onClick={() => setIsNaming(true)}>Situation keys</Button>
        {found && (
          <ComputedAt found={found} isFetching={query.isFetching} onAgain={() => void query.refetch()} />
        )}
      </header>
      <div aria-busy={query.isFetching}>
        <QueryResult query={{ ...query, data: found }} skeleton={<FindingsSkeleton />}>
          {(data) => (
            <>
              <FindingsNotes found={data} search={search} onSituation={() => setIsNaming(true)} />
              <FindingList found={data} search={search} />
            </>
          )}
        </QueryResult>
      </div>
      <SituationKeysDialog search={search} isOpen={isNaming} onClose={() => setIsNaming(false)} />
    </section>
  );
}

/** Until the server says which lens it chose, there is none. */
function titleOf(lens: Lens | undefined): string {
  if (lens === undefined) return "bad runs";
  const { runs, many } = BAD_RUN_WORDS[lens];
  return lens === "failed" ? runs : many;
}

interface ComputedAtProps {
  found: Findings;
  isFetching: boolean;
  onAgain: () => void;
}

/** When the list was computed, and whether it is watched. */
function ComputedAt({ found: { computedAt, watched }, isFetching, onAgain }: ComputedAtProps) {
  if (computedAt === null) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted md:ml-auto">
      {!watched && <span className="font-medium text-text">You asked; not watched</span>}
      <span>
        computed <RelativeTime instant={computedAt} />; counts beside it are current
      </span>
      {!watched && (
        <button
          type="button"
          disabled={isFetching}
          onClick={onAgain}
          className="text-accent hover:underline disabled:opacity-50 max-sm:min-h-6"
        >
          Compute again
        </button>
      )}
    </p>
  );
}

const FindingsSkeleton = () => (
  <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both] border-t border-line/60">
    {[1, 2].map((row) => (
      <div key={row} data-skeleton className={`${FINDING_GRID} border-b border-line/60`}>
        <SkeletonLine className="w-20" />
        <div className="grid gap-1">
          <SkeletonLine className="w-3/4 max-md:w-full" />
          <SkeletonLine className="w-2/3 md:hidden" />
          <SkeletonLine className="w-1/2" />
        </div>
      </div>
    ))}
  </div>
);
