import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { NotificationSettings } from "@whytrace/contract/schemas/issues/notifications";
import { api } from "../client/api.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";

const LABELS: Record<keyof NotificationSettings["mail"], string> = {
  newIssues: "New issues",
  regressions: "Issues that came back",
  assigned: "Issues that are assigned to me",
  alerts: "Rules that fire or recover",
};
const KINDS = ["newIssues", "regressions", "assigned", "alerts"] as const;

const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: ({ signal }) => api("GET /api/notifications", { signal }),
});

/** Which mails the signed-in member gets. */
export function MyMails() {
  const client = useQueryClient();
  const settings = useQuery(notificationsQuery);
  const save = useMutation({
    mutationFn: (body: NotificationSettings) => api("PUT /api/notifications", { body }),
    onSuccess: (saved) => client.setQueryData(notificationsQuery.queryKey, saved),
  });
  return (
    <QueryResult query={settings} skeleton={<SkeletonRows count={2} />}>
      {({ mail }) => (
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 font-semibold">My mails</legend>
          {KINDS.map((kind) => (
            <label key={kind} className="flex items-center gap-2 max-sm:min-h-11">
              <input
                type="checkbox"
                checked={mail[kind]}
                disabled={save.isPending}
                onChange={(event) => save.mutate({ mail: { ...mail, [kind]: event.target.checked } })}
              />
              {LABELS[kind]}
            </label>
          ))}
          {save.error && <p className="text-error">Not saved: {save.error.message}</p>}
        </fieldset>
      )}
    </QueryResult>
  );
}
