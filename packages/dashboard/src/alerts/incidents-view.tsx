import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parsePage } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { formatDuration } from "../ui/format/format.ts";
import { type Column, ListTable } from "../ui/list-table.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import type { AlertRule, Incident } from "./model/alert-types.ts";
import { incidentsQuery, rulesQuery } from "./model/alerts-queries.ts";
import type { AlertsSearch } from "./model/alerts-search.ts";
import { ruleValue } from "./model/rule-words.ts";

interface IncidentsViewProps {
  search: AlertsSearch;
  onShow: (search: AlertsSearch) => void;
}

const COLUMNS: Column[] = [
  ["Rule", ""],
  ["Started", "w-36"],
  ["Took", "w-36"],
  ["Peak", "w-28 text-right"],
  ["Ended because", "w-64"],
];
const CELL = "px-2.5 py-2 first:pl-4 last:pr-4 max-lg:p-0!";
const ROW =
  "border-b border-line/60 max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:gap-y-0.5 max-lg:px-4 max-lg:py-2.5";

/** When rules fired, the newest first. */
export function IncidentsView({ search, onShow }: IncidentsViewProps) {
  const incidents = useQuery(incidentsQuery(search.page));
  const rules = useQuery(rulesQuery);
  return (
    <QueryResult query={incidents} skeleton={<SkeletonRows count={6} />}>
      {({ incidents: all, page, limit, total }) =>
        total === 0 ? (
          <EmptyState title="No rule has fired">
            <p>
              An incident is the time from when a rule fires until it recovers. They are kept for 90 days.
            </p>
          </EmptyState>
        ) : (
          <div className="rounded-md border border-line">
            <ListTable columns={COLUMNS}>
              {all.map((incident) => (
                <IncidentRow
                  key={incident.id}
                  incident={incident}
                  rule={rules.data?.rules.find(({ id }) => id === incident.ruleId)}
                />
              ))}
            </ListTable>
            {total > limit && (
              <Pager
                page={page}
                limit={limit}
                total={total}
                onPage={(next) => onShow({ view: "incidents", page: parsePage(next) })}
              />
            )}
          </div>
        )
      }
    </QueryResult>
  );
}

function IncidentRow({ incident, rule }: { incident: Incident; rule: AlertRule | undefined }) {
  const { ruleId, startedAt, endedAt, peak, reason } = incident;
  return (
    <tr className={ROW}>
      <td className={`${CELL} max-lg:col-span-2`}>
        <Link to={paths.alerts} search={{ rule: ruleId }} className="font-semibold hover:underline">
          {rule?.name ?? "A deleted rule"}
        </Link>
      </td>
      <td className={CELL}>
        <RelativeTime instant={startedAt} />
      </td>
      <td className={CELL}>
        {endedAt === null ? (
          <b className="font-semibold text-error">still firing</b>
        ) : (
          formatDuration(Date.parse(endedAt) - Date.parse(startedAt))
        )}
      </td>
      <td className={`${CELL} text-right tabular-nums`}>
        {rule ? (
          <Link
            to={paths.traces}
            search={{
              ...(rule.agent && { agent: rule.agent, decided: "any" as const }),
              startedFrom: startedAt,
              startedTo: endedAt ?? undefined,
            }}
            className="hover:underline"
          >
            {ruleValue(rule.kind, peak)}
          </Link>
        ) : (
          (peak ?? "–")
        )}
      </td>
      <td className={`${CELL} text-muted`}>{reason ?? (endedAt === null ? "" : "it recovered")}</td>
    </tr>
  );
}
