import { formatRelativeTime } from "./format.ts";
import { useNow } from "./use-now.ts";

/** A relative time such as `2 min ago` that updates itself; its tooltip shows the exact time. */
export function RelativeTime({ instant }: { instant: string }) {
  const nowMs = useNow(30_000);
  return (
    <time dateTime={instant} title={instant} className="whitespace-nowrap">
      {formatRelativeTime(instant, nowMs)}
    </time>
  );
}
