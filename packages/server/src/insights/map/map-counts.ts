import type { MapTimes } from "@whytrace/contract";
import { COUNTS } from "../days/count-columns.ts";
import { KeyTable } from "../days/key-table.ts";
import { isInFilter, type RunFilter } from "../days/signature-figures.ts";
import { NO_STEP, ROWS_PER_STEP, type Tally } from "../days/tally.ts";

/** Stands for all steps that are too rare to be listed. It is no hash of a step. */
export const OTHER = -1;

interface RunCount {
  runs: number;
  failedRuns: number;
}
interface CountedEdge extends MapTimes, RunCount {
  from: number;
  to: number;
}
interface CountedNode extends MapTimes, RunCount {
  ended: { fine: number; failed: number; unknown: number };
}

/**
 * How often each step was taken, and which one came next. Nodes are added up from the edges, so that the two agree: the edges
 * into a node add up to it, and so do the edges out of it with the runs that ended there.
 */
export class MapCounts {
  /** The start first, then those that were taken most often, and last those that were taken together. */
  readonly nodes: Map<number, CountedNode>;
  readonly edges: CountedEdge[];
  readonly #ends: CountedEdge[];
  readonly #runs: Map<number, RunCount>;

  private constructor(edges: CountedEdge[], ends: CountedEdge[], runs: Map<number, RunCount>) {
    this.edges = edges;
    this.#ends = ends;
    this.#runs = runs;
    const nodes = new Map<number, CountedNode>();
    const nodeOf = (step: number) => {
      const node = nodes.get(step) ?? {
        times: 0,
        failedTimes: 0,
        unknownTimes: 0,
        ...(runs.get(step) ?? { runs: 0, failedRuns: 0 }),
        ended: { fine: 0, failed: 0, unknown: 0 },
      };
      nodes.set(step, node);
      return node;
    };
    for (const edge of edges) {
      addTimes(nodeOf(edge.to), edge);
      if (edge.from === NO_STEP) {
        const start = nodeOf(NO_STEP);
        addTimes(start, edge);
        addRuns(start, edge);
      }
    }
    for (const { from, times, failedTimes, unknownTimes } of ends) {
      const { ended } = nodeOf(from);
      ended.fine += times - failedTimes - unknownTimes;
      ended.failed += failedTimes;
      ended.unknown += unknownTimes;
    }
    const rank = ([step, { times }]: [number, CountedNode]) =>
      step === NO_STEP ? Infinity : step === OTHER ? -1 : times;
    this.nodes = new Map([...nodes].sort((a, b) => (rank(a) === rank(b) ? a[0] - b[0] : rank(b) - rank(a))));
  }

  /** Other work can run between steps. */
  static *read(tally: Tally, filter: RunFilter): Generator<undefined, MapCounts> {
    const { transitions } = tally;
    const edges = new EdgeTable();
    const ends = new EdgeTable();
    for (let row = 0; row < transitions.size; row += 1) {
      if (row % ROWS_PER_STEP === 0) yield;
      if (filter.agent !== undefined && transitions.keys.key(row, 0) !== filter.agent) continue;
      const [from, to] = [transitions.keys.key(row, 1), transitions.keys.key(row, 2)];
      const failedTimes =
        transitions.get(row, COUNTS.failedElsewhere) + transitions.get(row, COUNTS.failedHere);
      const unknownTimes = transitions.get(row, COUNTS.unknown);
      const fineTimes = transitions.get(row, COUNTS.fine) + transitions.get(row, COUNTS.recovered);
      (to === NO_STEP ? ends : edges).add({
        from,
        to,
        times: fineTimes + failedTimes + unknownTimes,
        failedTimes,
        unknownTimes,
        runs: transitions.get(row, COUNTS.runs),
        failedRuns: transitions.get(row, COUNTS.errorRuns),
      });
    }
    yield;
    const runs = runsByStep(tally, filter);
    yield;
    return new MapCounts(edges.list(), ends.list(), runs);
  }

  /** The same counts with rare steps taken together, so that there are no more nodes and edges than allowed. */
  pooled(maxNodes: number, maxEdges: number): MapCounts {
    if (this.nodes.size <= maxNodes + 1 && this.edges.length <= maxEdges) return this;
    const listed = new Set([...this.nodes.keys()].slice(0, maxNodes + 1));
    const pool = (step: number) => (listed.has(step) ? step : OTHER);
    const [edges, ends] = [new EdgeTable(), new EdgeTable()];
    for (const edge of this.edges) edges.add({ ...edge, from: pool(edge.from), to: pool(edge.to) });
    for (const end of this.#ends) ends.add({ ...end, from: pool(end.from) });
    const runs = new Map<number, RunCount>();
    for (const [step, count] of this.#runs) {
      const known = runs.get(pool(step)) ?? { runs: 0, failedRuns: 0 };
      addRuns(known, count);
      runs.set(pool(step), known);
    }
    const counts = new MapCounts(edges.list(), ends.list(), runs);
    return counts.edges.length <= maxEdges ? counts : counts.pooled(Math.floor(maxNodes * 0.8), maxEdges);
  }
}

/** Edges with the same ends are added up in the first of them. */
class EdgeTable {
  readonly #keys = new KeyTable(Number.POSITIVE_INFINITY);
  readonly #edges: CountedEdge[] = [];

  add(edge: CountedEdge) {
    const [isFromOther, isToOther] = [Number(edge.from === OTHER), Number(edge.to === OTHER)];
    const row = this.#keys.add(edge.from >>> 0, edge.to >>> 0, isFromOther + 2 * isToOther);
    const known = this.#edges[row];
    if (!known) this.#edges.push(edge);
    else {
      addTimes(known, edge);
      addRuns(known, edge);
    }
  }

  list(): CountedEdge[] {
    return this.#edges;
  }
}

function addTimes(sum: MapTimes, { times, failedTimes, unknownTimes }: MapTimes) {
  sum.times += times;
  sum.failedTimes += failedTimes;
  sum.unknownTimes += unknownTimes;
}

function addRuns(sum: RunCount, { runs, failedRuns }: RunCount) {
  sum.runs += runs;
  sum.failedRuns += failedRuns;
}

/** A run counts once at each step, however often it took it. */
function runsByStep(tally: Tally, filter: RunFilter): Map<number, RunCount> {
  const steps = new Map<number, RunCount>();
  for (let row = 0; row < tally.choices.size; row += 1) {
    const step = tally.stepOf(row);
    if (step === NO_STEP || !isInFilter(tally, tally.groupOf(row), filter)) continue;
    const count = {
      runs: tally.choices.get(row, COUNTS.runs),
      failedRuns: tally.choices.get(row, COUNTS.errorRuns),
    };
    const known = steps.get(step);
    if (known) addRuns(known, count);
    else steps.set(step, count);
  }
  return steps;
}
