/** Runs of one stretch, such as those that started in one hour of the day. */
export interface Stretch {
  runs: number;
  bad: number;
}

/** What the best of all windows must have above what chance gives the best of so many: twice a logarithm of likelihoods. */
const MIN_STATISTIC = 6;
/** Each group takes a search over all windows, and more of them leave too little to compare in each. */
const MAX_GROUPS = 16;

/**
 * Puts stretches, which are in order, into groups whose runs are bad about equally often: the window that stands out most from
 * all others becomes a group, and both are split again in the same way. Returns the group of each stretch; yields where the caller may
 * pause.
 */
export function* groupByRate(stretches: readonly Stretch[]): Generator<undefined, number[]> {
  const groups = stretches.map(() => 0);
  const open = [stretches.map((stretch, index) => ({ ...stretch, index }))];
  let count = 1;
  for (let part = open.pop(); part !== undefined && count < MAX_GROUPS; part = open.pop()) {
    const window = findWindow(part);
    yield;
    if (!window) continue;
    const inside = part.slice(window.from, window.to);
    for (const { index } of inside) groups[index] = count;
    count += 1;
    open.push(inside, [...part.slice(0, window.from), ...part.slice(window.to)]);
  }
  return groups;
}

/** The window that stands out most; undefined if the best of all would often do so by chance. */
function findWindow(stretches: readonly Stretch[]): { from: number; to: number } | undefined {
  const all = { runs: 0, bad: 0 };
  for (const stretch of stretches) add(all, stretch);
  const windows = (stretches.length * (stretches.length + 1)) / 2;
  let highest = MIN_STATISTIC + 2 * Math.log(windows);
  let best: { from: number; to: number } | undefined;
  for (let from = 0; from < stretches.length; from += 1) {
    const inside = { runs: 0, bad: 0 };
    for (const [offset, stretch] of stretches.slice(from).entries()) {
      add(inside, stretch);
      const statistic = likelihoodRatio(inside, all);
      if (statistic <= highest) continue;
      highest = statistic;
      best = { from, to: from + offset + 1 };
    }
  }
  return best;
}

function add(sum: Stretch, { runs, bad }: Stretch) {
  sum.runs += runs;
  sum.bad += bad;
}

/** How much better two rates describe all runs than one does. */
function likelihoodRatio(inside: Stretch, all: Stretch): number {
  const outside = { runs: all.runs - inside.runs, bad: all.bad - inside.bad };
  return 2 * (logLikelihood(inside) + logLikelihood(outside) - logLikelihood(all));
}

const logLikelihood = ({ runs, bad }: Stretch) => timesLog(bad, runs) + timesLog(runs - bad, runs);

const timesLog = (part: number, of: number) => (part === 0 ? 0 : part * Math.log(part / of));
