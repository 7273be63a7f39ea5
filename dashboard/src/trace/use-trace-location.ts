import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { omitEmpty } from "../client/search-params.ts";
import type { TraceSearchParams } from "./model/trace-search-params.ts";

const route = getRouteApi("/signed-in/traces/$id");
const DEBOUNCE_MS = 120;

/**
 * The selection and view of the trace page. They are component state, so that arrow keys respond at once, and are written
 * to the URL after a short delay. Back, forward and a new link set them from the URL.
 */
export function useTraceLocation() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [params, setParamsState] = useState<TraceSearchParams>(search);
  const written = useRef(JSON.stringify(search));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(params);
  latest.current = params;

  const incoming = JSON.stringify(search);
  useEffect(() => {
    if (incoming === written.current) return;
    clearTimeout(timer.current);
    written.current = incoming;
    setParamsState(JSON.parse(incoming) as TraceSearchParams);
  }, [incoming]);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** `isNewEntry`: add a history entry instead of replacing the current one. */
  const setParams = useCallback(
    (change: TraceSearchParams, { isNewEntry = false }: { isNewEntry?: boolean } = {}) => {
      const next = omitEmpty({ ...latest.current, ...change });
      latest.current = next;
      setParamsState(next);
      const write = () => {
        written.current = JSON.stringify(next);
        void navigate({ search: next, replace: !isNewEntry, resetScroll: false });
      };
      clearTimeout(timer.current);
      if (isNewEntry) write();
      else timer.current = setTimeout(write, DEBOUNCE_MS);
    },
    [navigate],
  );
  return { params, setParams };
}
