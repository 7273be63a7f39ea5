/**
 * How many of each source go to each destination, if all is known is how many leave each source and reach each destination:
 * in proportion, in whole numbers, and so that rows add up to the sources and columns to the destinations. If the two totals
 * differ, what is left over goes nowhere.
 */
export function apportion(sources: readonly number[], destinations: readonly number[]): number[][] {
  const free = [...destinations];
  return sources.map((source) => {
    const total = free.reduce((sum, one) => sum + one, 0);
    const wanted = Math.min(source, total);
    const quotas = free.map((one) => (total === 0 ? 0 : (wanted * one) / total));
    const parts = quotas.map(Math.floor);
    let rest = wanted - parts.reduce((sum, one) => sum + one, 0);
    const byRemainder = quotas.map((quota, index) => ({ index, remainder: quota - Math.floor(quota) }));
    for (const { index } of byRemainder.sort((a, b) => b.remainder - a.remainder)) {
      if (rest === 0) break;
      parts[index] = (parts[index] ?? 0) + 1;
      rest -= 1;
    }
    for (const [index, part] of parts.entries()) free[index] = (free[index] ?? 0) - part;
    return parts;
  });
}
