import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { RANGES, type RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { FirstSteps } from "../shell/first-steps.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/notice.tsx";

/** Tells users without any trace what to do, and offers others a longer time range. */
export function EmptyOverview({ range, onWiden }: { range: RangeName; onWiden: () => void }) {
  const anyTrace = useQuery({
    queryKey: ["traces", "any"],
    queryFn: ({ signal }) => api("GET /api/traces", { query: { limit: 1 }, signal }),
  });
  if (!anyTrace.data) return null;
  if (anyTrace.data.total === 0)
    return (
      <EmptyState title="No traces yet">
        <p>Send a trace with an API key to see its metrics here.</p>
        <FirstSteps path={paths.home} />
      </EmptyState>
    );
  return (
    <EmptyState title={`No traces started in the last ${RANGES[range].label}`}>
      {range === "90d" ? (
        <Link to={paths.traces} className={buttonStyle()}>
          View all traces
        </Link>
      ) : (
        <Button onClick={onWiden}>Show last 90 days</Button>
      )}
    </EmptyState>
  );
}
