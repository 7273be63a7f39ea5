import { useEffect, useState } from "react";
import { formatRelativeTime } from "./format.ts";

/** A relative time that stays true while one looks at it; the instant is in its title. */
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
