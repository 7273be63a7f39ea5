import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { PageInfo } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { paths } from "../client/paths.ts";
import { Button, buttonStyle } from "../ui/button.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { RANGES, type RangeName } from "./overview-search.ts";

/** No trace ever, or only none of late: the way out differs. */
export function EmptyOverview({ range, onWiden }: { range: RangeName; onWiden: () => void }) {
  const all = useQuery({
    queryKey: ["traces", "any"],
    queryFn: ({ signal }) => api<PageInfo>("/api/traces?limit=1", { signal }),
  });
  if (!all.data) return null;
  if (all.data.total === 0)
    return (
      <EmptyState title="No traces yet">
        <p>Send one with an API key, and its figures are here when the call returns.</p>
        <Link to={paths.welcome} className={buttonStyle("primary")}>
          Send your first trace
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState title={`No trace started in the last ${RANGES[range].label}`}>
      {range === "90d" ? (
        <Link to={paths.traces} className={buttonStyle()}>
          All traces
        </Link>
      ) : (
        <Button onClick={onWiden}>Show 90 days</Button>
      )}
    </EmptyState>
  );
}
