import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { useTraceUpdated } from "../client/live.ts";
import { useCoalescedRefetch } from "../client/use-coalesced-refetch.ts";
import { SCORES_KEY } from "../scores/scores-query.ts";
import { outlineQuery } from "./model/outline.ts";
import { TraceView } from "./trace-view.tsx";
import type { TraceLocation } from "./use-trace-location.ts";

const ROUTE = "/signed-in/traces/$id";
const route = getRouteApi(ROUTE);

export const tracePage = createLazyRoute(ROUTE)({ component: TracePage });

function TracePage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch: TraceLocation["onSearch"] = useCallback(
    (next, { isNewEntry }) => void navigate({ search: next, replace: !isNewEntry, resetScroll: false }),
    [navigate],
  );
  const { data: outline, dataUpdatedAt, refetch } = useSuspenseQuery(outlineQuery(id));
  const client = useQueryClient();
  const refetchAll = () => Promise.all([refetch(), client.invalidateQueries({ queryKey: [SCORES_KEY, id] })]);
  useTraceUpdated(id, useCoalescedRefetch(refetchAll));
  return <TraceView outline={outline} outlineMs={dataUpdatedAt} search={search} onSearch={onSearch} />;
}
