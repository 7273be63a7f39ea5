import { useSuspenseQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTraceUpdated } from "../client/live.ts";
import { Notice } from "../ui/notice.tsx";
import { buildTree } from "./model/build-tree.ts";
import { outlineQuery } from "./model/outline.ts";
import { TraceHeader } from "./trace-header.tsx";
import { TraceWorkbench } from "./trace-workbench.tsx";
import { useCoalescedRefetch } from "./use-coalesced-refetch.ts";
import "./trace.css";

const ROUTE = "/signed-in/traces/$id";
const route = getRouteApi(ROUTE);

export const tracePage = createLazyRoute(ROUTE)({ component: TracePage });

const STALE_MS = 15 * 60_000;

function TracePage() {
  const { id } = route.useParams();
  const { data: outline, dataUpdatedAt, refetch } = useSuspenseQuery(outlineQuery(id));
  const isRunning = outline.status === "RUNNING";
  useTraceUpdated(id, useCoalescedRefetch(refetch));
  const tree = useMemo(() => {
    const asSent = buildTree(outline);
    const isStale = dataUpdatedAt - asSent.lastActivityMs > STALE_MS;
    return outline.status === "RUNNING" && !isStale ? buildTree(outline, dataUpdatedAt) : asSent;
  }, [outline, dataUpdatedAt]);
  const isStale = isRunning && dataUpdatedAt - tree.lastActivityMs > STALE_MS;
  return (
    <div className="relative flex-1">
      <div className="absolute inset-0 flex flex-col">
        <TraceHeader tree={tree} />
        {isStale && (
          <div className="px-4 pb-2">
            <Notice tone="retry">
              This trace is still marked as running, but there were no updates for more than 15 minutes. The
              agent may have crashed.
            </Notice>
          </div>
        )}
        <TraceWorkbench key={id} tree={tree} />
      </div>
    </div>
  );
}
