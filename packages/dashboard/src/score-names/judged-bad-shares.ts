import type { JudgeAgreement } from "@whytrace/contract";

/**
 * How often people agree when the judge says bad, and how much of what people call bad it finds. Each review counts for all runs with
 * the same judgement. Null if nobody reviewed a run that it calls bad.
 */
export function judgedBadShares({
  byLabel,
  confusion,
}: Pick<JudgeAgreement, "byLabel" | "confusion">): { right: number; found: number | null } | null {
  const called = byLabel.find(({ label }) => label === "false");
  if (!called || called.reviewed === 0) return null;
  const right = called.agreed / called.reviewed;
  const bad = byLabel.map(({ label, judged, reviewed }) => {
    const runs = confusion.find(({ judge, person }) => judge === label && person === "false")?.runs ?? 0;
    return reviewed === 0 ? 0 : (judged * runs) / reviewed;
  });
  const all = bad.reduce((sum, one) => sum + one, 0);
  const isKnown = byLabel.every(({ reviewed }) => reviewed > 0) && all > 0;
  return { right, found: isKnown ? (called.judged * right) / all : null };
}
