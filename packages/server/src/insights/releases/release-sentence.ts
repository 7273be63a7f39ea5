import { type ReleaseComparison, type ReleaseMeasure, shortPercent, shortRatio } from "@whytrace/contract";

type Compared = Pick<ReleaseComparison, "base" | "current" | "verdict" | "measures">;

/** Whether the current side is worse than the base: the sentence that pages, tools and commands show. */
export function releaseSentence({ base, current, verdict, measures }: Compared): string {
  const [before, after] = [nameOf(base), nameOf(current)];
  const worse = measures.filter((one) => one.verdict === "worse");
  const better = measures.filter((one) => one.verdict === "better");
  switch (verdict) {
    case "worse":
      return `${after} is worse than ${before}: ${listed(worse.map(changeWords))}.`;
    case "better":
      return `${after} is better than ${before}: ${listed(better.map(changeWords))}.`;
    case "mixed":
      return `${after} is worse than ${before} in one way and better in another: ${listed(worse.map(changeWords))}; but ${listed(better.map(changeWords))}.`;
    case "alike":
      return `Nothing shows that ${after} is worse than ${before}: ${listed(measures.filter(isTested).map(rangeWords))}.`;
    case "untested":
      return `Whether ${after} is worse than ${before} cannot be told yet: ${UNTESTED[firstReason(measures)]}.`;
  }
}

const isTested = ({ verdict }: ReleaseMeasure) => verdict !== "untested";
const firstReason = (measures: readonly ReleaseMeasure[]) =>
  measures.find(({ untested }) => untested !== null)?.untested ?? "one-side";

const UNTESTED: Record<NonNullable<ReleaseMeasure["untested"]>, string> = {
  "one-side": "one of them has no runs that ended",
  "few-decisions": "one of them has fewer than 20 runs that ended",
  "few-sessions": "one of them has fewer than 10 sessions or single runs",
  "one-option": "nothing differs",
};

/** The release, or the days: the end is exclusive. */
const nameOf = ({ release, from, to }: ReleaseComparison["base"]) =>
  release ?? `${formatDay(Date.parse(from))} to ${formatDay(Date.parse(to) - 1)}`;
const formatDay = (ms: number) =>
  new Date(ms).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** "14 % of its runs are bad, before 5 % (4 to 15 points more)". */
function changeWords({ name, base, current, change }: ReleaseMeasure): string {
  if (base === null || current === null || change === null) return "";
  if (name === "bad")
    return `${shortPercent(current.value)} of runs are bad, before ${shortPercent(base.value)} (${pointRange(change)})`;
  const [verb, what] = name === "cost" ? ["costs", "as much"] : ["takes", "as long"];
  return `a typical run ${verb} ${ratioOf(change.value)} times ${what} (${ratioOf(change.low)} to ${ratioOf(change.high)})`;
}

/** What could be excluded where nothing was found: "bad runs changed by -1 to 3 points". */
function rangeWords({ name, change }: ReleaseMeasure): string {
  if (change === null) return "";
  if (name === "bad") return `bad runs changed by ${points(change.low)} to ${points(change.high)} points`;
  return `${name} by a factor of ${ratioOf(change.low)} to ${ratioOf(change.high)}`;
}

function pointRange({ value, low, high }: { value: number; low: number; high: number }): string {
  const [least, most] = value > 0 ? [low, high] : [-high, -low];
  return `${points(least)} to ${points(most)} points ${value > 0 ? "more" : "fewer"}`;
}

const points = (share: number) => {
  const rounded = Math.round(1_000 * share) / 10;
  return Math.abs(rounded) >= 10 ? String(Math.round(rounded)) : String(rounded === 0 ? 0 : rounded);
};
const ratioOf = (ratio: number) => (ratio < 2 ? ratio.toFixed(2) : shortRatio(ratio));

const listed = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
