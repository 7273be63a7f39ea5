import { MIN_COMPARED_DECISIONS, type Rate } from "@whytrace/contract";
import { formatPercent } from "../../ui/format-percent.ts";
import type { RankedSuspect } from "../model/blame-path.ts";

/** How often runs failed after a decision and after its alternative, in few words. */
export function BlameRates({ ranked }: { ranked: RankedSuspect | undefined }) {
  if (!ranked) return "after the error";
  const { suspect, rank } = ranked;
  if (suspect.dithering) return "dithering";
  const { chosen, alternative } = suspect;
  if (!alternative) return "no alternative";
  if (isFew(chosen) || isFew(alternative.rate)) return "too few";
  if (rank === null) return "no clear difference";
  return (
    <>
      <span className="font-semibold text-error">{formatPercent(shareOf(chosen))}</span> /{" "}
      {formatPercent(shareOf(alternative.rate))}
    </>
  );
}

const isFew = ({ decisions }: Rate) => decisions < MIN_COMPARED_DECISIONS;
const shareOf = ({ failed, decisions }: Rate) => failed / decisions;
