/** The shape of what is coming, shown only when it takes a moment. */
export function SkeletonRows({ count = 12, height = "h-9" }: { count?: number; height?: string }) {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div key={i} className={`flex items-center border-b border-line/60 px-4 ${height}`}>
          <div className="h-3 w-1/3 rounded bg-sunken motion-safe:animate-pulse" />
          <div className="ml-auto h-3 w-24 rounded bg-sunken motion-safe:animate-pulse" />
        </div>
      ))}
    </div>
  );
}
