/** The shape of what is coming, shown only when it takes a moment. */
export function SkeletonRows({ count = 12, height = "h-9" }: { count?: number; height?: string }) {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={i} data-skeleton className={`flex items-center border-b border-line/60 px-4 ${height}`}>
          <SkeletonBar className="w-1/3" />
          <SkeletonBar className="ml-auto w-24" />
        </div>
      ))}
    </div>
  );
}

/** The same for a framed list. */
export function SkeletonList({ count }: { count: number }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="animate-[fade-in_0s_150ms_both] rounded-md border border-line"
    >
      {Array.from({ length: count }, (_, i) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          key={i}
          data-skeleton
          className="flex h-12.5 items-center border-b border-line px-3 last:border-0 max-sm:h-21"
        >
          <SkeletonBar className="w-1/3" />
          <SkeletonBar className="ml-auto w-24" />
        </div>
      ))}
    </div>
  );
}

/** A line of text that is not there yet. */
export function SkeletonBar({ className }: { className: string }) {
  return <div className={`h-3 rounded bg-sunken motion-safe:animate-pulse ${className}`} />;
}
