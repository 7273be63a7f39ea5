import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { DecisionMap, MapNode } from "@whytrace/contract";
import { useState } from "react";
import { paths } from "../../paths.ts";
import { tracesQuery } from "../../traces/traces-query.ts";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { StatusIcon } from "../../ui/status.tsx";
import { failedTraces } from "./failed-traces.ts";

interface MapTracesProps {
  map: DecisionMap;
  node: MapNode;
  /** The step right before, if a path is selected. */
  after: string | undefined;
}

const SHOWN = 5;
const OUTCOMES = ["bad", "good"] as const;

/** The newest traces that made a choice, or took a path: the bad ones, or the good ones. */
export function MapTraces({ map, node, after }: MapTracesProps) {
  const [outcome, setOutcome] = useState<(typeof OUTCOMES)[number]>("bad");
  const query = useQuery(tracesQuery({ ...failedTraces(map, node, after), about: undefined, outcome }));
  return (
    <section aria-label="Traces" className="pb-4">
      <div className="flex items-center justify-between gap-2 pb-1">
        <h2 className="text-xs text-muted">
          {query.data ? `${query.data.total.toLocaleString("en")} direct traces` : "Traces"}
        </h2>
        <SegmentedControl label="Outcome" options={OUTCOMES} value={outcome} onChange={setOutcome} />
      </div>
      <QueryResult query={query} skeleton={null}>
        {({ traces }) => (
          <ul>
            {traces.slice(0, SHOWN).map(({ id, name, status, createdAt }) => (
              <li key={id} className="border-b border-line/60">
                <Link
                  to={paths.trace}
                  params={{ id }}
                  className="flex min-h-8 items-center gap-2 text-xs hover:bg-panel max-sm:min-h-11"
                >
                  <StatusIcon status={status} />
                  <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                  <span className="text-muted">
                    <RelativeTime instant={createdAt} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </section>
  );
}
