/** Placeholder rows, shown only if loading takes longer than 150 ms. */
export function SkeletonRows({ count = 12, height = "h-9" }: { count?: number; height?: string }) {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
        <div key={i} data-skeleton className={`flex items-center border-b border-line/60 px-4 ${height}`}>
          <SkeletonBar className="w-1/3" />
          <SkeletonBar className="ml-auto w-24" />
        </div>
      ))}
    </div>
  );
}

/** Placeholder rows of a list with a border. */
export function SkeletonList({ count }: { count: number }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="animate-[fade-in_0s_150ms_both] rounded-md border border-line"
    >
      {Array.from({ length: count }, (_, i) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
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

/** A placeholder for a line of text, with the height of the line. */
export function SkeletonLine({ className }: { className: string }) {
  return (
    <span className={`flex h-lh max-w-full items-center ${className}`}>
      <span className="block h-3 w-full rounded bg-sunken motion-safe:animate-pulse" />
    </span>
  );
}

/** A placeholder for a line of text. */
export function SkeletonBar({ className }: { className: string }) {
  return <div className={`h-3 rounded bg-sunken motion-safe:animate-pulse ${className}`} />;
}
