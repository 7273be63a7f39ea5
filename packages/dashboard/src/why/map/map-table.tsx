import type { DecisionMap, Interval, MapNode } from "@whytrace/contract";
import { TraceCount } from "../../traces/trace-count.tsx";
import { formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { IntervalMark } from "../../ui/intervals/interval-mark.tsx";
import { rateScale } from "../../ui/intervals/interval-scale.ts";
import { type Column, ListTable } from "../../ui/list-table.tsx";
import { DecisionIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { failedShare } from "./failed-share.ts";
import { failedTraces } from "./failed-traces.ts";
import type { FoldedEdge, FoldedMap } from "./fold-rare.ts";
import { failedShareOfMap } from "./known-share.ts";
import { START } from "./listed-choices.ts";
import type { MapSelection } from "./map-selection.ts";

interface MapTableProps {
  map: DecisionMap;
  folded: FoldedMap;
  selection: MapSelection | undefined;
  isFound: (node: MapNode) => boolean;
  onSelect: (step: string, from: string) => void;
}

const COLUMNS: Column[] = [
  ["From", ""],
  ["To", ""],
  ["Times", "w-20 text-right"],
  ["Of all that go on", "w-32 text-right"],
  ["Bad", "w-[26%]"],
  ["Bad runs", "w-40"],
];
const SCALE = rateScale([1]);
const MIN_COMPARED_TIMES = 20;
/** Why these have no link to their traces. */
export const FOLDED_TITLE =
  "These runs decided something between the two choices that is too rare to be shown. Where they came from is estimated.";
const CELL =
  "h-9 px-2.5 first:pl-4 last:pr-4 max-lg:h-auto max-lg:py-1 max-lg:first:pl-2.5 max-lg:last:pr-2.5";

/** All paths of the map as a table, those with the most bad runs first. */
export function MapTable({ map, folded, selection, isFound, onSelect }: MapTableProps) {
  const nodes = new Map(folded.nodes.map((node) => [node.step, node]));
  const isNodeFound = (node: MapNode | undefined) => node !== undefined && isFound(node);
  const goesOn = (step: string) => {
    const { times, ended } = nodes.get(step) ?? { times: 0, ended: { fine: 0, failed: 0, unknown: 0 } };
    return Math.max(1, times - ended.fine - ended.failed - ended.unknown);
  };
  const edges = folded.edges
    .filter(({ from, to }) => from !== START && [from, to].some((step) => isNodeFound(nodes.get(step))))
    .toSorted((a, b) => b.failedTimes - a.failedTimes || b.times - a.times);
  const all = failedShareOfMap(map);
  return (
    <ListTable columns={COLUMNS}>
      {edges.map((edge) => {
        const { from, to } = edge;
        const isSelected = selection?.before?.edge.from === from && selection.before.edge.to === to;
        return (
          <tr
            key={`${from} ${to}`}
            aria-selected={isSelected}
            className={`relative border-b border-line/60 hover:bg-panel max-lg:grid max-lg:grid-cols-2 max-lg:px-1.5 max-lg:py-2 ${isSelected ? "bg-[color-mix(in_oklab,var(--color-accent)_10%,var(--color-bg))]" : ""}`}
          >
            <td className={CELL}>
              <Choice node={nodes.get(from)} />
            </td>
            <td className={CELL}>
              <button
                type="button"
                data-row
                onClick={() => onSelect(to, from)}
                className="max-w-full text-left after:absolute after:inset-0"
              >
                <Choice node={nodes.get(to)} />
              </button>
            </td>
            <td className={`${CELL} text-right tabular-nums max-lg:text-left`}>
              {formatExact(edge.times)}
              <span className="text-muted lg:hidden"> times</span>
            </td>
            <td className={`${CELL} text-right tabular-nums text-muted max-lg:text-left`}>
              {formatPercent(edge.times / goesOn(from))}
              <span className="lg:hidden"> of all that go on</span>
            </td>
            <td className={`${CELL} max-lg:col-span-2`}>
              <FailedMark edge={edge} all={all} />
            </td>
            <td className={`${CELL} relative z-[1] whitespace-nowrap max-lg:col-span-2`}>
              <span className="font-semibold">{formatPercent(failedShare(edge).value)}</span>{" "}
              {edge.failedRuns > 0 && (
                <TraceCount
                  traces={failedTraces(map, nodes.get(to), from)}
                  className="text-accent hover:underline"
                >
                  {formatExact(edge.failedRuns)} bad
                </TraceCount>
              )}
              {edge.unknownTimes > 0 && (
                <span className="block truncate text-xs text-muted">
                  {formatExact(edge.unknownTimes)} with unknown outcome
                </span>
              )}
              {edge.foldedTimes > 0 && (
                <span className="block truncate text-xs text-muted" title={FOLDED_TITLE}>
                  {formatExact(edge.foldedTimes)} over rarer choices
                </span>
              )}
            </td>
          </tr>
        );
      })}
    </ListTable>
  );
}

/** The share of bad runs with its interval, beside that of all runs. */
export const FailedMark = ({ edge, all }: { edge: FoldedEdge; all: number }) => (
  <ShareMark {...failedShare(edge)} times={edge.times - edge.unknownTimes} all={all} />
);

export function ShareMark({ value, low, high, times, all }: Interval & { times: number; all: number }) {
  return (
    <IntervalMark
      value={value}
      low={low}
      high={high}
      scale={SCALE}
      lineAt={all}
      isFew={times < MIN_COMPARED_TIMES}
      label={`${formatPercent(value)} bad, ${formatPercent(low)} to ${formatPercent(high)}`}
      className="h-6"
    />
  );
}

export function Choice({ node }: { node: MapNode | undefined }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5" style={node?.type ? tintedStyle(node.type) : {}}>
      {node?.type && <DecisionIcon />}
      <span className="truncate font-medium" title={node?.name}>
        {node?.name || "(unknown)"}
      </span>
    </span>
  );
}
