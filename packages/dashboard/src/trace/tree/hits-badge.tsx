import type { SearchField, SearchHit } from "@whytrace/contract";
import { isInContents } from "../model/trace-hits.ts";

const LABELS: Partial<Record<SearchField, string>> = { contextSnapshot: "context" };

/** Where a row contains the searched text, if the row itself does not show it. */
export function HitsBadge({ hits }: { hits: SearchHit[] }) {
  const places = [
    ...new Set(
      hits
        .filter(isInContents)
        .map(({ record, field }) => (record.kind === "event" ? "event" : (LABELS[field] ?? field))),
    ),
  ];
  if (places.length === 0) return null;
  return (
    <span
      title={`Found in ${places.join(", ")}`}
      className="tinted ml-auto shrink-0 rounded-[5px] px-1 text-xs [--tint:var(--color-retry)]"
    >
      <span className="sr-only">, found in {places.join(", ")}</span>
      <span aria-hidden="true">
        {places[0]}
        {places.length > 1 && ` +${places.length - 1}`}
      </span>
    </span>
  );
}
