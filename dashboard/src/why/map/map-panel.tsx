import { Link } from "@tanstack/react-router";
import type { DecisionMap } from "@whytrace/contract";
import type { ReactNode } from "react";
import { paths } from "../../paths.ts";
import { TraceCount } from "../../traces/trace-count.tsx";
import { Kbd } from "../../ui/badges.tsx";
import { buttonStyle } from "../../ui/button.tsx";
import { formatPercent } from "../../ui/format-percent.ts";
import { failedTraces } from "./failed-traces.ts";
import { type FoldedMap, START } from "./fold-rare.ts";
import { type MapSelection, pathsFrom } from "./map-selection.ts";
import { Choice, FailedMark } from "./map-table.tsx";
import { wilsonInterval } from "./wilson-interval.ts";

interface MapPanelProps {
  map: DecisionMap;
  folded: FoldedMap;
  selection: MapSelection;
  onClose: () => void;
}

/** What is known of the choice or path that is selected. */
export function MapPanel({ map, folded, selection: { node, before }, onClose }: MapPanelProps) {
  const { runs, failedRuns } = before?.edge ?? node;
  const { low, high } = wilsonInterval(failedRuns, runs);
  const all = map.runs === 0 ? 0 : map.failedRuns / map.runs;
  const origin = before?.node ?? node;
  const nodes = new Map(folded.nodes.map((one) => [one.step, one]));
  const ways = pathsFrom(folded, origin.step);
  const leaving = ways.reduce((sum, way) => sum + way.runs, 0);
  return (
    <aside
      aria-label="Selection"
      className="w-76 shrink-0 overflow-auto border-l border-line p-4 max-lg:w-full max-lg:border-l-0 max-lg:border-t"
    >
      <div className="flex items-center justify-between text-xs text-muted">
        {before ? "Selected path" : "Selected choice"}
        <button
          type="button"
          aria-label="Clear the selection"
          className="size-6 hover:text-text"
          onClick={onClose}
        >
          ✕
        </button>
      </div>
      <p className="flex min-w-0 flex-wrap items-center gap-2 py-2">
        {before && (
          <>
            <Choice node={before.node} /> <span aria-hidden="true">→</span>
            <span className="sr-only">to</span>
          </>
        )}
        <Choice node={node} />
      </p>
      <dl className="grid grid-cols-3 gap-2 pb-4">
        <Fact label="Runs">{Math.round(runs).toLocaleString("en")}</Fact>
        <Fact label="Failed">{formatPercent(failedRuns / Math.max(1, runs))}</Fact>
        <Fact label="95 % interval">
          {Math.round(low * 100)} to {Math.round(high * 100)}
        </Fact>
      </dl>
      {ways.length > 0 && (
        <>
          <h3 className="pb-1 text-xs text-muted">Ways on from {origin.name}</h3>
          <ul className="grid gap-1 pb-4">
            {ways.map((way) => (
              <li
                key={way.to}
                className="grid grid-cols-[minmax(0,1fr)_2.5rem_4.5rem_auto] items-center gap-2 text-xs"
              >
                <span className={`truncate ${way.to === node.step ? "font-semibold" : ""}`}>
                  {nodes.get(way.to)?.name}
                </span>
                <span className="text-right text-muted">
                  {formatPercent(way.runs / Math.max(1, leaving))}
                </span>
                <FailedMark edge={way} all={all} />
                <span className="whitespace-nowrap tabular-nums">
                  {formatPercent(way.failedRuns / Math.max(1, way.runs))} of{" "}
                  {Math.round(way.runs).toLocaleString("en")}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {node.step !== START && (
        <div className="grid grid-cols-2 gap-2">
          <TraceCount traces={failedTraces(map, node, before?.node.step)} className={buttonStyle()}>
            {Math.round(failedRuns).toLocaleString("en")} failed <Kbd>f</Kbd>
          </TraceCount>
          {node.signature !== null && (
            <Link
              to={paths.scorecard}
              params={{ signature: node.signature }}
              search={map.agent ? { agent: map.agent } : {}}
              className={buttonStyle()}
            >
              Scorecard <Kbd>↵</Kbd>
            </Link>
          )}
        </div>
      )}
    </aside>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="text-base font-semibold">{children}</dd>
  </div>
);
