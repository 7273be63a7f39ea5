import { useQuery } from "@tanstack/react-query";
import { api } from "../../client/api.ts";
import { Button } from "../../ui/controls/button.tsx";
import { formatExact } from "../../ui/format/format.ts";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import { formatRetentionDays } from "../format-retention-days.ts";

interface ConfirmRetentionProps {
  days: number;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Says how many traces a choice deletes, and asks for confirmation. */
export function ConfirmRetention({ days, isPending, error, onConfirm, onCancel }: ConfirmRetentionProps) {
  const expired = useQuery({
    queryKey: ["expired-traces", days],
    // The number must be right when the user confirms it.
    gcTime: 0,
    queryFn: ({ signal }) => api("GET /api/workspace/retention/expired", { query: { days }, signal }),
  });
  const count = expired.data?.traces ?? 0;
  const age = formatRetentionDays(days);
  return (
    <>
      <QueryResult query={expired} skeleton={<Counting />}>
        {() => (
          <p>
            {count === 0 ? (
              `No trace is older than ${age}. From now on, traces are deleted when they are.`
            ) : (
              <>
                <strong>
                  {formatExact(count)} {count === 1 ? "trace is" : "traces are"} older than {age}
                </strong>{" "}
                and will be deleted within minutes, with everything in them. This cannot be undone.
              </>
            )}
          </p>
        )}
      </QueryResult>
      {error && <ErrorNotice error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button
          kind={count === 0 ? "primary" : "danger"}
          disabled={isPending || !expired.data}
          onClick={onConfirm}
        >
          {count === 0
            ? `Keep for ${age}`
            : `Delete ${formatExact(count)} ${count === 1 ? "trace" : "traces"}`}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  );
}

function Counting() {
  return (
    <p role="status" aria-label="Counting traces" className="grid h-10 content-center">
      <SkeletonBar className="w-2/3" />
    </p>
  );
}
