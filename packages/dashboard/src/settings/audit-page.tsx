import { useInfiniteQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import type { AuditEvent } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { apiUrl } from "../client/base-path.ts";
import { omitEmpty } from "../client/search-params.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { RoleNote } from "../shell/role-note.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import type { AuditSearch } from "./audit-search.ts";
import { auditSentence } from "./audit-sentence.ts";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";

const ROUTE = "/signed-in/settings/audit";
const route = getRouteApi(ROUTE);
const DAY_MS = 86_400_000;

export const auditPage = createLazyRoute(ROUTE)({ component: AuditPage });

function AuditPage() {
  const refusal = useRoleRefusal("admin");
  return (
    <SettingsLayout>
      <SettingsSection title="Audit log">
        {refusal === undefined ? <Events /> : <RoleNote needed="admin" act="Reading the audit log" />}
      </SettingsSection>
    </SettingsLayout>
  );
}

/** Days are those of UTC, and the last one is listed, too. */
const instantsOf = ({ from, to }: AuditSearch) => ({
  from: from && `${from}T00:00:00Z`,
  to: to && new Date(Date.parse(to) + DAY_MS).toISOString(),
});

function Events() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const events = useInfiniteQuery({
    queryKey: ["audit", search],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      api("GET /api/audit", { query: { ...search, ...instantsOf(search), cursor: pageParam }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return (
    <>
      <p className="text-muted">What was done in this workspace. Nobody can change it.</p>
      <a href={apiUrl("/api/audit/export")} download className={`${buttonStyle()} justify-self-start`}>
        Export
      </a>
      <AuditFilters
        search={search}
        onFilter={(next) => void navigate({ search: omitEmpty(next), resetScroll: false })}
      />
      <QueryResult query={events} skeleton={<SkeletonList count={5} />}>
        {({ pages }) =>
          pages[0]?.events.length === 0 ? (
            <p className="rounded-md border border-line px-3 py-3 text-muted">
              Nothing of this kind is in the log. Events end with the time for which this server keeps them.
            </p>
          ) : (
            <>
              <ul className="rounded-md border border-line">
                {pages
                  .flatMap((page) => page.events)
                  .map((event) => (
                    <EventRow key={event.position} event={event} />
                  ))}
              </ul>
              {events.hasNextPage && (
                <Button disabled={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
                  Older events
                </Button>
              )}
            </>
          )
        }
      </QueryResult>
    </>
  );
}

function EventRow({ event }: { event: AuditEvent }) {
  return (
    <li className="border-b border-line last:border-0">
      <details>
        <summary className="flex cursor-pointer flex-wrap justify-between gap-x-4 px-3 py-2">
          <span className="min-w-0 break-words">{auditSentence(event)}</span>
          <span className="text-xs text-muted">
            <RelativeTime instant={event.at} />
            {event.ip && ` from ${event.ip}`}
          </span>
        </summary>
        <pre className="overflow-x-auto bg-panel p-3 font-mono text-xs">{JSON.stringify(event, null, 2)}</pre>
      </details>
    </li>
  );
}
