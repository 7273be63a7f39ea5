import { SkeletonBar, SkeletonRows } from "../ui/skeleton.tsx";

/** The page's layout without data. */
export function CompareSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      <div className="grid h-[62px] grid-cols-2 items-center gap-10 px-11 max-md:h-32 max-md:grid-cols-1 max-md:px-4">
        <SkeletonBar className="w-1/2" />
        <SkeletonBar className="w-1/2" />
      </div>
      <div className="h-[54px] border-y border-line bg-panel max-lg:h-[106px]" />
      <SkeletonRows count={12} height="h-7" />
    </div>
  );
}
