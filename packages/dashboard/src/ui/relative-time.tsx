import { formatRelativeTime } from "./format/format.ts";
import { useNow } from "./hooks/use-now.ts";

interface RelativeTimeProps {
  instant: string;
  /** A second line of the tooltip. */
  note?: string | undefined;
}

/** A relative time such as `2 min ago` that updates itself; its tooltip shows the exact time. */
export function RelativeTime({ instant, note }: RelativeTimeProps) {
  const nowMs = useNow(30_000);
  return (
    <time
      dateTime={instant}
      title={note === undefined ? instant : `${instant}\n${note}`}
      className="whitespace-nowrap"
    >
      {formatRelativeTime(instant, nowMs)}
    </time>
  );
}
