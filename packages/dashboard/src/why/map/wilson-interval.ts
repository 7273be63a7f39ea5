/** Of a standard normal distribution, 95 % lie within this distance of the middle. */
const Z = 1.959964;

/** The 95 % interval of a share of independent runs. */
export function wilsonInterval(count: number, total: number): { low: number; high: number } {
  if (total <= 0) return { low: 0, high: 1 };
  const share = count / total;
  const scale = 1 + Z ** 2 / total;
  const middle = (share + Z ** 2 / (2 * total)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
