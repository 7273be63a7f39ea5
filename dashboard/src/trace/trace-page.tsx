import { useSuspenseQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTraceUpdated } from "../client/live.ts";
import { useCoalescedRefetch } from "../client/use-coalesced-refetch.ts";
import { buildTree } from "./model/build-tree.ts";
import { outlineQuery } from "./model/outline.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { SILENCE_MS, SilenceNotice } from "./silence-notice.tsx";
import { TraceHeader } from "./trace-header.tsx";
import { TraceWorkbench } from "./trace-workbench.tsx";
import "./trace.css";

const ROUTE = "/signed-in/traces/$id";
const route = getRouteApi(ROUTE);

export const tracePage = createLazyRoute(ROUTE)({ component: TracePage });

function TracePage() {
  const { id } = route.useParams();
  const { data: outline, dataUpdatedAt, refetch } = useSuspenseQuery(outlineQuery(id));
  const isRunning = outline.status === "RUNNING";
  useTraceUpdated(id, useCoalescedRefetch(refetch));
  const tree = useMemo(() => {
    const asSent = buildTree(outline);
    const isSilent = dataUpdatedAt - asSent.lastActivityMs > SILENCE_MS;
    return outline.status === "RUNNING" && !isSilent ? buildTree(outline, dataUpdatedAt) : asSent;
  }, [outline, dataUpdatedAt]);
  // The agent's clock may be ahead of this one.
  const lastActivityMs = Math.min(tree.lastActivityMs, dataUpdatedAt);
  return (
    <PayloadTime value={dataUpdatedAt}>
      <div className="relative flex-1">
        <div className="absolute inset-0 flex flex-col">
          <TraceHeader tree={tree} />
          {isRunning && <SilenceNotice key={id} traceId={id} lastActivityMs={lastActivityMs} />}
          <TraceWorkbench key={id} tree={tree} />
        </div>
      </div>
    </PayloadTime>
  );
}
