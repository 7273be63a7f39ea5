/** `43 %`, `0.9 %`, `<0.1 %`. A share that is not 0 or 1 never looks as if it was. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "<0.1 %";
  if (percent > 99 && percent < 100) return `${Math.min(99.9, percent).toFixed(1)} %`;
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`;
}
