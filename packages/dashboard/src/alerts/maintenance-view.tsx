import { useQuery } from "@tanstack/react-query";
import type { RouteBody } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import type { Maintenance } from "./model/alert-types.ts";
import { maintenanceQuery } from "./model/alerts-queries.ts";
import { useAlertChange } from "./model/use-alert-change.ts";

/** Times in which rules change their state in silence. */
export function MaintenanceView() {
  const windows = useQuery(maintenanceQuery);
  const isReadOnly = useIsReadOnly();
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <Panel title="Maintenance" note="rules are checked, but nobody is told">
        <QueryResult query={windows} skeleton={<SkeletonRows count={2} />}>
          {({ maintenance }) =>
            maintenance.length === 0 ? (
              <p className="p-3 text-muted">
                Nothing is planned. What still fires when a window ends is said once; what fired and recovered
                inside is not.
              </p>
            ) : (
              <ul>
                {maintenance.map((one) => (
                  <Row key={one.id} maintenance={one} />
                ))}
              </ul>
            )
          }
        </QueryResult>
      </Panel>
      {!isReadOnly && <NewWindow />}
    </div>
  );
}

function Row({ maintenance: { id, from, to, note } }: { maintenance: Maintenance }) {
  const remove = useAlertChange(() => api("DELETE /api/alerts/maintenance/:id", { params: { id } }));
  const isReadOnly = useIsReadOnly();
  const now = Date.now();
  const isNow = Date.parse(from) <= now && now < Date.parse(to);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line/60 px-3 py-2 last:border-0">
      <span className="min-w-0 flex-1">
        <span className="block">
          {localTime(from)} to {localTime(to)}
          {isNow && <b className="ml-2 font-semibold text-retry">now</b>}
        </span>
        {note && <span className="block break-words text-xs text-muted">{note}</span>}
        {remove.error && <span className="block text-error">{remove.error.message}</span>}
      </span>
      {!isReadOnly && (
        <Button
          aria-label={`Delete the window from ${localTime(from)}`}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {isNow ? "End now" : "Delete"}
        </Button>
      )}
    </li>
  );
}

function NewWindow() {
  const create = useAlertChange((body: RouteBody<"POST /api/alerts/maintenance">) =>
    api("POST /api/alerts/maintenance", { body }),
  );
  return (
    <Panel title="Plan a window">
      <form
        className="grid gap-3 p-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const fields = new FormData(form);
          const instant = (name: string) => new Date(String(fields.get(name))).toISOString();
          const note = String(fields.get("note")).trim();
          create.mutate(
            { from: instant("from"), to: instant("to"), ...(note && { note }) },
            { onSuccess: () => form.reset() },
          );
        }}
      >
        <Field label="From" name="from" type="datetime-local" required />
        <Field label="To" name="to" type="datetime-local" required hint="At most 14 days later" />
        <div className="sm:col-span-2">
          <Field label="Note" name="note" maxLength={1_000} placeholder="Migration of the order database" />
        </div>
        {create.error && (
          <div className="sm:col-span-2">
            <ErrorNotice error={create.error} />
          </div>
        )}
        <div>
          <Button type="submit" kind="primary" disabled={create.isPending}>
            Plan
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** In the time zone of the browser, as the fields are. */
const localTime = (instant: string) =>
  new Date(instant).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
