import { Link } from "@tanstack/react-router";
import type { ComparedRun } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { Tag } from "../ui/badges.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { StatusIcon } from "../ui/status.tsx";

/** Which run is A or B. */
export function RunTitle({ side, run }: { side: "A" | "B"; run: ComparedRun }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <span className="grid size-5 shrink-0 place-items-center rounded-[5px] bg-sunken text-xs font-semibold">
        {side}
      </span>
      <StatusIcon status={run.status} />
      <Link
        to={paths.trace}
        params={{ id: run.id }}
        title={run.name}
        className="truncate text-base font-semibold hover:underline max-sm:py-2"
      >
        {run.name}
      </Link>
      {run.release !== null && <Tag>{run.release}</Tag>}
      <span className="shrink-0 text-xs text-muted">
        <RelativeTime instant={run.startedAt} />
      </span>
    </div>
  );
}
