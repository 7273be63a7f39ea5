import { SkeletonBar } from "../../ui/skeleton.tsx";

const PANELS = ["Choices by day", "Same situation", "Reasons given", "Verdicts"];

/** The scorecard while it loads. */
export function ScorecardSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      <div className="grid h-13 content-start gap-2 px-4 pb-3 pt-1">
        <SkeletonBar className="w-2/3" />
        <SkeletonBar className="w-1/3" />
      </div>
      <div className="grid gap-3 px-4 xl:grid-cols-2">
        <div className="rounded-md border border-line xl:col-span-2">
          {["head", "first", "second", "third", "fourth"].map((row) => (
            <div
              key={row}
              data-skeleton
              className="flex h-10.75 items-center gap-6 border-b border-line/60 px-3 last:border-0"
            >
              <SkeletonBar className="w-1/6" />
              <SkeletonBar className="w-1/4" />
              <SkeletonBar className="ml-auto w-1/5" />
            </div>
          ))}
        </div>
        {PANELS.map((panel) => (
          <div key={panel} className="h-68 rounded-md border border-line p-3">
            <SkeletonBar className="w-32" />
          </div>
        ))}
      </div>
    </div>
  );
}
