import { useInfiniteQuery } from "@tanstack/react-query";
import { createLazyRoute } from "@tanstack/react-router";
import { type AuditEvent, type AuditPage as AuditPageData, includesRole } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { apiUrl } from "../client/base-path.ts";
import { useWorkspace } from "../client/use-workspace.ts";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { auditSentence } from "./audit-sentence.ts";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";

export const auditPage = createLazyRoute("/signed-in/settings/audit")({ component: AuditPage });

function AuditPage() {
  const { role } = useWorkspace();
  return (
    <SettingsLayout>
      <SettingsSection title="Audit log">
        {includesRole(role, "admin") ? (
          <Events />
        ) : (
          <p className="text-muted">
            Reading the audit log needs the role admin or owner. Your role is {role}.
          </p>
        )}
      </SettingsSection>
    </SettingsLayout>
  );
}

function Events() {
  const events = useInfiniteQuery({
    queryKey: ["audit"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      api<AuditPageData>(`/api/audit${pageParam && `?cursor=${pageParam}`}`, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return (
    <>
      <p className="text-muted">What was done in this workspace. Nobody can change it.</p>
      <a href={apiUrl("/api/audit/export")} download className={`${buttonStyle()} justify-self-start`}>
        Export
      </a>
      <QueryResult query={events} skeleton={<SkeletonList count={5} />}>
        {({ pages }) => (
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
        )}
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
