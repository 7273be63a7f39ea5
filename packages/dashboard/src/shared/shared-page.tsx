import { useSuspenseQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { ShareContext } from "../trace/payload/share-context.ts";
import { TraceView } from "../trace/trace-view.tsx";
import type { TraceLocation } from "../trace/use-trace-location.ts";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SharedLayout } from "./shared-layout.tsx";
import { sharedQuery } from "./shared-query.ts";

const ROUTE = "/shared/$token";
const route = getRouteApi(ROUTE);

export const sharedPage = createLazyRoute(ROUTE)({ component: SharedPage });

function SharedPage() {
  const { token } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch: TraceLocation["onSearch"] = useCallback(
    (next, { isNewEntry }) => void navigate({ search: next, replace: !isNewEntry, resetScroll: false }),
    [navigate],
  );
  const { data, dataUpdatedAt } = useSuspenseQuery(sharedQuery(token));
  const { hasPayloads, hasWhy, expiresAt } = data.link;
  const share = useMemo(() => ({ token, hasPayloads, hasWhy }), [token, hasPayloads, hasWhy]);
  const note = (
    <>
      {!hasPayloads && ", without payloads"}, expires <RelativeTime instant={expiresAt} />
    </>
  );
  return (
    <ShareContext value={share}>
      <SharedLayout note={note}>
        <TraceView outline={data.outline} outlineMs={dataUpdatedAt} search={search} onSearch={onSearch} />
      </SharedLayout>
    </ShareContext>
  );
}
