/** How often two raters agree, and how much more often than by chance. */
interface Kappa {
  agreement: number;
  /** NaN if both gave the same single label to everything: chance alone would agree, too. */
  kappa: number;
}

/** Cohen's κ of a square table: a row for each label of the first rater, a column for each of the second. */
export function cohensKappa(table: readonly (readonly number[])[]): Kappa {
  const { agreement, byChance } = agreementOf(sharesOf(table));
  return { agreement, kappa: byChance < 1 - 1e-12 ? (agreement - byChance) / (1 - byChance) : Number.NaN };
}

/** κ and its variance by Fleiss, Cohen and Everitt (1969). */
export function kappaVariance(table: readonly (readonly number[])[]): { kappa: number; variance: number } {
  const size = table.reduce((sum, row) => sum + sumOf(row), 0);
  const shares = sharesOf(table);
  const { agreement, byChance, rows, columns } = agreementOf(shares);
  const disagreement = 1 - agreement;
  let sum = 0;
  for (const [i, row] of shares.entries())
    for (const [j, share] of row.entries()) {
      const margins = (columns[i] ?? 0) + (rows[j] ?? 0);
      sum += share * (i === j ? 1 - byChance - margins * disagreement : margins * disagreement) ** 2;
    }
  sum -= (agreement * byChance - 2 * byChance + agreement) ** 2;
  return {
    kappa: (agreement - byChance) / (1 - byChance),
    variance: Math.max(0, sum) / (size * (1 - byChance) ** 4),
  };
}

function agreementOf(shares: readonly (readonly number[])[]) {
  const rows = shares.map(sumOf);
  const columns = shares.map((_, column) => sumOf(shares.map((row) => row[column] ?? 0)));
  return {
    rows,
    columns,
    agreement: sumOf(shares.map((row, index) => row[index] ?? 0)),
    byChance: sumOf(rows.map((row, index) => row * (columns[index] ?? 0))),
  };
}

function sharesOf(table: readonly (readonly number[])[]): number[][] {
  const size = sumOf(table.map(sumOf));
  return table.map((row) => row.map((count) => count / size));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
