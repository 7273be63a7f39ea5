import { formatPercent } from "../../ui/format/format-percent.ts";
import type { RankedSuspect } from "../model/blame-path.ts";

/** The shares of bad runs with the option and with others in the same situation, if it was compared. */
export function BlameRates({ ranked }: { ranked: RankedSuspect | undefined }) {
  if (!ranked) return null;
  const { rate, otherRate, dithering } = ranked.suspect;
  if (dithering) return dithering.kind === "named-other-option" ? "reason contradicts" : "repeated step";
  if (rate === null || otherRate === null) return "not compared";
  return (
    <>
      <span className={ranked.rank === null ? "" : "font-semibold text-error"}>{formatPercent(rate)}</span> /{" "}
      {formatPercent(otherRate)}
    </>
  );
}
