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

const SILENT_MS = 15 * 60_000;

/** One run: what the agent did, and why. */
function TracePage() {
  const { id } = route.useParams();
  const { data: outline, dataUpdatedAt, refetch } = useSuspenseQuery(outlineQuery(id));
  const isRunning = outline.status === "RUNNING";
  useTraceUpdated(id, useCoalescedRefetch(refetch));
  const tree = useMemo(() => {
    const asSent = buildTree(outline);
    const isSilent = dataUpdatedAt - asSent.lastActivityMs > SILENT_MS;
    return outline.status === "RUNNING" && !isSilent ? buildTree(outline, dataUpdatedAt) : asSent;
  }, [outline, dataUpdatedAt]);
  const isSilent = isRunning && dataUpdatedAt - tree.lastActivityMs > SILENT_MS;
  return (
    <div className="relative flex-1">
      <div className="absolute inset-0 flex flex-col">
        <TraceHeader tree={tree} />
        {isSilent && (
          <div className="px-4 pb-2">
            <Notice tone="retry">
              Still marked as running, but nothing was heard of it for more than 15 minutes. The agent may
              have stopped without saying so.
            </Notice>
          </div>
        )}
        <TraceWorkbench key={id} tree={tree} />
      </div>
    </div>
  );
}
