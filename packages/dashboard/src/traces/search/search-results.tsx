import { Button } from "../../ui/controls/button.tsx";
import { EmptyState, LoadError } from "../../ui/notice.tsx";
import { SearchHits } from "./search-hits.tsx";
import { SearchStatus } from "./search-status.tsx";
import { useSearchRun } from "./use-search-run.ts";

interface SearchResultsProps {
  text: string;
  /** Identifies the search: its text and filters. */
  searchKey: string;
  createQuery: () => object;
  /** Removes the filters besides the text; undefined without such filters. */
  onClearFilters: (() => void) | undefined;
}

/** Searches the contents of all traces, and lists the hits while they arrive. */
export function SearchResults({ text, searchKey, createQuery, onClearFilters }: SearchResultsProps) {
  const { start, stop, ...state } = useSearchRun(searchKey, createQuery);
  const { status, traces, hitCount, error, cursor } = state;
  return (
    <>
      <SearchStatus state={state} onStart={start} onStop={stop} />
      <ol aria-label="Hits">
        {traces.map((trace) => (
          <SearchHits key={trace.traceId} trace={trace} text={text} />
        ))}
      </ol>
      {error && status === "failed" && <LoadError error={error} onRetry={start} />}
      {status === "ended" && cursor !== null && (
        <div className="grid justify-items-center p-6">
          <Button onClick={start}>Search on</Button>
        </div>
      )}
      {status === "ended" && cursor === null && hitCount === 0 && (
        <EmptyState title="Nothing found">
          <p>
            “{text}” is in no name, input, output, metadata, decision or event
            {onClearFilters ? " of the traces that match these filters" : ""}.
          </p>
          {onClearFilters && <Button onClick={onClearFilters}>Search in all traces</Button>}
        </EmptyState>
      )}
    </>
  );
}
