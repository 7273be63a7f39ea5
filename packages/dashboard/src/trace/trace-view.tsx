import { useMemo } from "react";
import { buildTree } from "./model/build-tree.ts";
import type { Outline } from "./model/outline.ts";
import { PayloadTime } from "./payload/payload-time.ts";
import { SILENCE_MS, SilenceNotice } from "./silence-notice.tsx";
import { TraceHeader } from "./trace-header.tsx";
import { TraceWorkbench } from "./trace-workbench.tsx";
import type { TraceLocation } from "./use-trace-location.ts";
import "./trace.css";

interface TraceViewProps extends TraceLocation {
  outline: Outline;
  outlineMs: number;
}

/** Header, tree and details of a trace, for its owner and for those who have a link. */
export function TraceView({ outline, outlineMs, ...location }: TraceViewProps) {
  const isRunning = outline.status === "RUNNING";
  const tree = useMemo(() => {
    const asSent = buildTree(outline);
    const isSilent = outlineMs - asSent.lastActivityMs > SILENCE_MS;
    return outline.status === "RUNNING" && !isSilent ? buildTree(outline, outlineMs) : asSent;
  }, [outline, outlineMs]);
  // The agent's clock may be ahead of this one.
  const lastActivityMs = Math.min(tree.lastActivityMs, outlineMs);
  return (
    <PayloadTime value={outlineMs}>
      <div className="relative flex-1">
        <div className="absolute inset-0 flex flex-col">
          <TraceHeader tree={tree} />
          {isRunning && (
            <SilenceNotice
              key={`${outline.id} silence`}
              traceId={outline.id}
              lastActivityMs={lastActivityMs}
            />
          )}
          <TraceWorkbench key={outline.id} tree={tree} {...location} />
        </div>
      </div>
    </PayloadTime>
  );
}
