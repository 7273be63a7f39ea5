import type { Rate } from "@whytrace/contract";

const shareOf = ({ failed, decisions }: Rate) => (decisions === 0 ? 0 : failed / decisions);

/** How many percentage points `a` is above `b`, with the 95 % interval that follows from those of both (Newcombe's method). */
export function rateDifference(a: Rate, b: Rate): { points: number; low: number; high: number } {
  const [aShare, bShare] = [shareOf(a), shareOf(b)];
  const difference = aShare - bShare;
  const low = difference - Math.hypot(aShare - a.low, b.high - bShare);
  const high = difference + Math.hypot(a.high - aShare, bShare - b.low);
  const toPoints = (share: number) => Math.round(share * 100);
  return { points: toPoints(difference), low: toPoints(low), high: toPoints(high) };
}
