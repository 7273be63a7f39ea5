import { SkeletonRows } from "../ui/skeleton.tsx";

/** The page's layout without data. */
export function TraceSkeleton() {
  return (
    <div className="animate-[fade-in_0s_150ms_both]">
      <div className="h-[98px]" />
      <div className="h-[74px] border-y border-line bg-panel" />
      <div className="h-12 border-b border-line" />
      <SkeletonRows count={18} height="h-7" />
    </div>
  );
}
