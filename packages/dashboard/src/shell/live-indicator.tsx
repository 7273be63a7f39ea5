import { type LiveState, useLiveState } from "../client/live.ts";

const APPEARANCE: Record<LiveState, { text: string; dot: string }> = {
  connecting: { text: "Connecting…", dot: "bg-line" },
  live: { text: "Live", dot: "bg-completed" },
  reconnecting: { text: "Reconnecting…", dot: "bg-retry motion-safe:animate-pulse" },
  off: { text: "Live updates off", dot: "bg-line" },
};

/** Shows whether the page receives live updates. */
export function LiveIndicator() {
  const state = useLiveState();
  const { text, dot } = APPEARANCE[state];
  return (
    <span
      role="status"
      title={text}
      className="flex min-h-6 items-center gap-2 px-2 text-xs text-muted"
      data-live={state}
    >
      <span aria-hidden="true" className={`size-1.5 shrink-0 rounded-full ${dot}`} />
      <span className="max-md:sr-only">{text}</span>
    </span>
  );
}
