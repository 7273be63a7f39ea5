import { RankBadge } from "../../ui/rank-badge.tsx";
import type { RankedSuspect } from "../model/blame-path.ts";

/** Suspects that have no row of their own: options that were left out. They stand above the first turn. */
export function LeftOut({ suspects }: { suspects: readonly RankedSuspect[] }) {
  if (suspects.length === 0) return null;
  return (
    <ul aria-label="Left out" className="shrink-0 border-b border-line">
      {suspects.map(
        ({ suspect: { step, option }, rank }) =>
          rank !== null && (
            <li key={step} className="flex min-h-7 items-center gap-2 px-2 py-1">
              <RankBadge>{rank}</RankBadge>
              <span className="sr-only">Suspect {rank}: </span>
              <span className="min-w-0">
                <span className="text-muted">left out</span> <b className="font-semibold">{option}</b>
              </span>
            </li>
          ),
      )}
    </ul>
  );
}
