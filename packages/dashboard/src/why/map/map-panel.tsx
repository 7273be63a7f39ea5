import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type DecisionMap, type MapTimes, OTHER_STEPS } from "@whytrace/contract";
import type { ReactNode } from "react";
import { paths } from "../../paths.ts";
import { TraceCount } from "../../traces/trace-count.tsx";
import { Kbd } from "../../ui/badges.tsx";
import { buttonStyle } from "../../ui/controls/button.tsx";
import { formatDuration, formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { mapPathQuery } from "../insights-query.ts";
import { failedShare } from "./failed-share.ts";
import { failedTraces } from "./failed-traces.ts";
import type { FoldedMap, FoldedNode } from "./fold-rare.ts";
import { failedShareOfMap, knownShare } from "./known-share.ts";
import { START } from "./listed-choices.ts";
import { MapReleases } from "./map-releases.tsx";
import { type MapSelection, pathsFrom } from "./map-selection.ts";
import { Choice, FailedMark, FOLDED_TITLE } from "./map-table.tsx";
import { MapTraces } from "./map-traces.tsx";
import { PANEL_ROW } from "./panel-row.ts";

interface MapPanelProps {
  map: DecisionMap;
  folded: FoldedMap;
  selection: MapSelection;
  onClose: () => void;
}

/** What is known of the choice or path that is selected. */
export function MapPanel({ map, folded, selection: { node, before }, onClose }: MapPanelProps) {
  const counted = before?.edge ?? node;
  const { value, low, high } = failedShare(counted);
  const foldedTimes = before?.edge.foldedTimes ?? 0;
  const after = before?.node.step;
  const isListed = node.step !== START && node.step !== OTHER_STEPS && after !== OTHER_STEPS;
  const path = useQuery({ ...mapPathQuery({ ...map, step: node.step, after }), enabled: isListed });
  const betweenMs = path.data?.betweenMs ?? null;
  return (
    <aside
      aria-label="Selection"
      className="w-84 shrink-0 overflow-auto border-l border-line p-4 max-lg:w-full max-lg:border-l-0 max-lg:border-t"
    >
      <div className="flex items-center justify-between text-xs text-muted">
        {before ? "Selected path" : "Selected choice"}
        <button
          type="button"
          aria-label="Clear the selection"
          className="size-6 hover:text-text max-sm:size-11"
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
      <dl className="flex justify-between gap-2 whitespace-nowrap">
        <Fact label="Times">{formatExact(counted.times)}</Fact>
        <Fact label="Bad">{formatPercent(value)}</Fact>
        <Fact label="95 % interval">
          {Math.round(low * 100)} to {Math.round(high * 100)}
        </Fact>
        {betweenMs !== null && <Fact label="Between, p50">{formatDuration(betweenMs)}</Fact>}
      </dl>
      <p className="pb-4 text-xs text-muted" title={foldedTimes > 0 ? FOLDED_TITLE : undefined}>
        {foldedTimes > 0
          ? `${formatExact(counted.times - foldedTimes)} directly, ${formatExact(foldedTimes)} over rarer choices`
          : counted.times !== counted.runs && `in ${formatExact(counted.runs)} runs`}
      </p>
      {counted.unknownTimes > 0 && (
        <p className="pb-4 text-xs text-muted">
          {formatExact(counted.unknownTimes)} of them with unknown outcome; the share is of the others.
        </p>
      )}
      <WaysOn map={map} folded={folded} origin={before?.node ?? node} target={before && node.step} />
      <QueryResult query={path} skeleton={null}>
        {({ releases }) => <MapReleases map={map} node={node} after={after} releases={releases} />}
      </QueryResult>
      {node.step !== START && (
        <>
          <MapTraces map={map} node={node} after={after} />
          <div className="grid grid-cols-2 gap-2">
            <TraceCount traces={failedTraces(map, node, after)} className={buttonStyle()}>
              {formatExact(counted.failedRuns)} bad <Kbd>f</Kbd>
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
        </>
      )}
    </aside>
  );
}

interface WaysOnProps {
  map: DecisionMap;
  folded: FoldedMap;
  origin: FoldedNode;
  target: string | undefined;
}

/** Where runs went from a choice. The numbers add up to how often it was chosen. */
function WaysOn({ map, folded, origin, target }: WaysOnProps) {
  const all = failedShareOfMap(map);
  const nodes = new Map(folded.nodes.map((node) => [node.step, node]));
  const { ended, again, rarerOut, times } = origin;
  const others: [label: string, times: MapTimes][] = [
    ["the same again", again],
    ["rarer paths", rarerOut],
    [
      "end of the run",
      {
        times: ended.fine + ended.failed + ended.unknown,
        failedTimes: ended.failed,
        unknownTimes: ended.unknown,
      },
    ],
  ];
  const share = (way: MapTimes) => formatPercent(way.times / Math.max(1, times));
  const ofTimes = (way: MapTimes) => (
    <span className="whitespace-nowrap text-right tabular-nums">
      {formatPercent(knownShare(way))} of {formatExact(way.times)}
    </span>
  );
  return (
    <>
      <h2 className="pb-1 text-xs text-muted">
        Ways on from {origin.name}, {formatExact(times)} in all; how many ended badly
      </h2>
      <ul className="pb-4">
        {pathsFrom(folded, origin.step).map((way) => (
          <li key={way.to} className={PANEL_ROW}>
            <span className={`truncate ${way.to === target ? "font-semibold" : ""}`}>
              {nodes.get(way.to)?.name}
            </span>
            <span className="text-right text-muted">{share(way)}</span>
            <FailedMark edge={way} all={all} />
            {ofTimes(way)}
          </li>
        ))}
        {others.map(
          ([label, way]) =>
            way.times > 0 && (
              <li key={label} className={`${PANEL_ROW} text-muted`}>
                <span className="truncate italic">{label}</span>
                <span className="text-right">{share(way)}</span>
                <span />
                {ofTimes(way)}
              </li>
            ),
        )}
      </ul>
    </>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="text-base font-semibold">{children}</dd>
  </div>
);
