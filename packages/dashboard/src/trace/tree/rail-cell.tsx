import { RankBadge } from "../../ui/rank-badge.tsx";
import type { RailMark } from "../model/blame-path.ts";

/** The part of the line from suspects to the error that crosses one row. */
export function RailCell({ rail: { mark, isAbove, isBelow } }: { rail: RailMark }) {
  return (
    <span className="absolute inset-y-0 left-2 grid w-5 place-items-center">
      {isAbove && <span aria-hidden="true" className="absolute left-[9px] top-0 h-1/2 w-0.5 bg-error" />}
      {isBelow && (
        <span aria-hidden="true" className="absolute bottom-[-1px] left-[9px] top-1/2 w-0.5 bg-error" />
      )}
      {mark !== null && <RankBadge>{mark}</RankBadge>}
      {mark !== null && <span className="sr-only">{mark === "✕" ? "The error" : `Suspect ${mark}`}: </span>}
    </span>
  );
}
