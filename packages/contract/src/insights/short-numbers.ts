/** "52 %"; next to 0 and 100 % with a decimal, so that a rare thing is not shown as never, nor a frequent one as always. */
export function shortPercent(share: number): string {
  const percent = 100 * share;
  const isExtreme = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);
  if (!isExtreme) return `${Math.round(percent)} %`;
  return `${Math.min(99.9, Math.max(0.1, percent)).toFixed(1)} %`;
}

/** "$0.0042", "$12.40". */
export const shortUsd = (usd: number): string => `$${usd.toFixed(usd < 1 ? 4 : 2)}`;

/** "3.4", "16". */
export const shortRatio = (ratio: number): string =>
  ratio < 9.95 ? ratio.toFixed(1).replace(/\.0$/, "") : shortCount(ratio);

/** "1,000". Sums of weights and of shares are not whole. */
export const shortCount = (count: number): string => Math.round(count).toLocaleString("en-US");
