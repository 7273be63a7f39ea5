import { Button } from "../../ui/controls/button.tsx";
import { formatBytes } from "../../ui/format/format.ts";
import type { SearchState } from "./search-run.ts";

interface SearchStatusProps {
  state: SearchState;
  onStart: () => void;
  onStop: () => void;
}

/** What a search has found so far, how far it is, and a button to stop it. */
export function SearchStatus({ state, onStart, onStop }: SearchStatusProps) {
  const { status, searchedTraces, totalTraces } = state;
  const isSearching = status === "searching" || status === "paused";
  const parts = [status === "stopped" && "Stopped", foundText(state), searchedText(state)];
  return (
    <div
      data-search={status}
      className="sticky top-0 z-10 flex min-h-11 items-center gap-3 border-b border-line bg-panel px-4 py-1.5 text-muted tabular-nums"
    >
      <p className="min-w-0">{parts.filter(Boolean).join(" · ")}</p>
      <p role="status" className="sr-only">
        {announcement(state)}
      </p>
      <span className="ml-auto shrink-0">
        {isSearching && <Button onClick={onStop}>Stop</Button>}
        {status === "stopped" && <Button onClick={onStart}>Search on</Button>}
      </span>
      {isSearching && (
        <div
          role="progressbar"
          aria-label="Searched traces"
          aria-valuenow={searchedTraces}
          aria-valuemin={0}
          aria-valuemax={totalTraces ?? undefined}
          className="absolute inset-x-0 -bottom-px h-0.5 overflow-hidden"
        >
          <div
            className="h-full bg-accent motion-safe:transition-[width] motion-safe:duration-500"
            style={{ width: `${shareOf(state) * 100}%` }}
          />
        </div>
      )}
    </div>
  );
}

const shareOf = ({ searchedTraces, totalTraces }: SearchState) =>
  totalTraces ? Math.min(1, searchedTraces / totalTraces) : 0;

const count = (value: number, singular: string) =>
  `${value.toLocaleString("en")} ${value === 1 ? singular : `${singular}s`}`;

function foundText({ status, hitCount, traces, cursor }: SearchState): string {
  if (hitCount === 0) return status === "searching" || cursor !== null ? "No hits yet" : "No hits";
  return `${count(hitCount, "hit")} in ${count(traces.length, "trace")}`;
}

function searchedText({ searchedTraces, totalTraces, searchedBytes, cursor }: SearchState): string {
  if (totalTraces === null && searchedTraces === 0) return cursor === null ? "" : "searching…";
  const size = searchedBytes > 0 ? ` · ${formatBytes(searchedBytes)}` : "";
  if (cursor === null) return `searched ${count(searchedTraces, "trace")}${size}`;
  const total = totalTraces === null ? "" : ` of ${totalTraces.toLocaleString("en")}`;
  return `searched ${searchedTraces.toLocaleString("en")}${total} traces${size}`;
}

/** For screen readers: the start, every quarter of a long search, and the end, but not each hit. */
function announcement(state: SearchState): string {
  if (state.status === "failed") return "";
  if (state.status !== "searching") return `Search ${state.status}. ${foundText(state)}.`;
  const quarters = Math.floor(shareOf(state) * 4);
  return quarters === 0 ? "Searching" : `Searched ${quarters * 25} percent`;
}
