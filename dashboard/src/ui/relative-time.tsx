import { useEffect, useState } from "react";
import { formatRelativeTime } from "./format.ts";

/** A relative time such as `2 min ago` that updates itself; its tooltip shows the exact time. */
export function RelativeTime({ instant }: { instant: string }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={instant} title={instant} className="whitespace-nowrap">
      {formatRelativeTime(instant, nowMs)}
    </time>
  );
}
