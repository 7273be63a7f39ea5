import { useState } from "react";
import { useLiveUpdates } from "../client/live.ts";
import { useNow } from "../ui/hooks/use-now.ts";
import { Notice } from "../ui/notice.tsx";

export const SILENCE_MS = 15 * 60_000;

/** Shown once a running trace has not been updated for 15 minutes, also if the page was open all the time. */
export function SilenceNotice({ traceId, lastActivityMs }: { traceId: string; lastActivityMs: number }) {
  const nowMs = useNow(15_000);
  // An update may change nothing that the outline shows.
  const [lastUpdateMs, setLastUpdateMs] = useState(0);
  useLiveUpdates((update) => {
    if (update !== "resync" && update.some(({ id }) => id === traceId)) setLastUpdateMs(Date.now());
  });
  if (nowMs - Math.max(lastActivityMs, lastUpdateMs) <= SILENCE_MS) return null;
  return (
    <div className="px-4 pb-2">
      <Notice tone="retry">
        This trace is still marked as running, but there were no updates for more than 15 minutes. The agent
        may have crashed.
      </Notice>
    </div>
  );
}
