import { SkeletonBar } from "../../ui/skeleton.tsx";

export const WhyTabSkeleton = () => (
  <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
    <div className="grid gap-2 border-b border-line px-4 py-3">
      <SkeletonBar className="w-2/3" />
      <SkeletonBar className="w-1/3" />
    </div>
    {[1, 2, 3].map((row) => (
      <div key={row} className="grid gap-3 border-b border-line px-4 py-4">
        <SkeletonBar className="w-1/2" />
        <SkeletonBar className="w-full" />
        <SkeletonBar className="w-full" />
      </div>
    ))}
  </div>
);
